% hullbench_serve (INIT, STEP, MULTIPLIERS)
% Solvers of hullbench in Octave. A declaration (docs/programs.md) names the program, which has the lines
%
%     addpath (fullfile (getenv ("HULLBENCH_BINDINGS"), "octave"));
%     hullbench_serve (@init, @step, @multipliers);
%
% hullbench calls STATE = INIT (PROBLEM) once a problem, then STATE = STEP () until its stopping rule is met or a budget
% is spent, and ALPHA = MULTIPLIERS () when it wants the n multipliers. A state is a struct with the fields objective
% (the function minimised), norm2 (|W|^2), delta (the violation of the pair that the next step updates), and, where
% known, gap (of the whole problem), class_gap (of the classes 1 and -1), violation, updated_class (1, -1 or 0),
% no_choice (no update is admissible), no_step (the last step has changed nothing) and class_stuck. An error fails the
% job with its text. What the solver prints must go to stderr: fprintf (stderr, ...).
%
% PROBLEM has the fields n, y (column), tolerance (NaN if the solver ignores it), parameters (a struct by name), and
% functions for kernel values, which return columns and are counted in kernel operations. Patterns are numbered from 1.
%
%     row (i)                           k(x_i, x_j) for all j; n operations
%     weighted_sum (patterns, weights)  sum_k weights(k) k(x_patterns(k), x_j) for all j; n for each pattern
%     diagonal ()                       k(x_j, x_j) for all j; n operations
%     values (i, j)                     k(x_i(k), x_j(k)) for all k; one operation each
function hullbench_serve (init, step, multipliers)
  while true
    [kind, content] = frame ();
    try
      switch kind
        case "B"
          send_state (init (problem_of (content)));
        case "S"
          send_state (step ());
        case "M"
          send ("M", bytes (double (multipliers ())));
      endswitch
    catch err
      text = err.message (1:min (end, 150));
      send ("F", uint8 (text));
      exit (1);
    end_try_catch
  endwhile
endfunction

function content = take (count)
  content = fread (stdin, [1, count], "*uint8");
  if (numel (content) < count)
    exit (0); % hullbench has closed the pipe
  endif
endfunction

function [kind, content] = frame ()
  head = take (8);
  kind = char (head(1));
  count = double (typecast (head(5:8), "uint32"));
  content = uint8 ([]);
  if (count > 0)
    content = take (count);
  endif
endfunction

function out = bytes (numbers)
  out = typecast (numbers(:)', "uint8");
endfunction

function send (kind, content)
  fwrite (stdout, [uint8(kind), zeros(1, 3, "uint8"), bytes(uint32 (numel (content))), content], "uint8");
  fflush (stdout);
endfunction

function values = ask (kind, content)
  send (kind, content);
  [~, answer] = frame ();
  values = typecast (answer, "double")';
endfunction

function problem = problem_of (content)
  numbers = double (typecast (content(1:8), "uint32"));
  count = double (typecast (content(17:24), "uint32")); % of parameters, and of the bytes of their names
  if (numbers(1) != 1)
    error ("hullbench speaks version %d of the protocol; this file has 1", numbers(1));
  endif
  problem.n = numbers(2);
  problem.tolerance = typecast (content(9:16), "double");
  problem.parameters = struct ();
  at = 24 + 8 * count(1);
  names = strsplit (char (content(at + (1:count(2)))), "\0");
  for p = 1:count(1)
    problem.parameters.(names{p}) = typecast (content(17 + 8 * p:24 + 8 * p), "double");
  endfor
  problem.y = double (typecast (content(at + count(2) + 1:end), "int8"))';
  problem.row = @(i) ask ("R", bytes (uint32 (i - 1)));
  problem.weighted_sum = @(patterns, weights) ask ("W", [bytes(uint32 ([numel(patterns), 0])), ...
                                                         bytes(double (weights)), bytes(uint32 (patterns - 1))]);
  problem.diagonal = @() ask ("D", uint8 ([]));
  problem.values = @(i, j) ask ("V", [bytes(uint32 ([numel(i), 0])), bytes(uint32 (i - 1)), bytes(uint32 (j - 1))]);
endfunction

function send_state (given)
  state = struct ("gap", NaN, "class_gap", [NaN, NaN], "violation", NaN, "updated_class", 0, "no_choice", false, ...
                  "no_step", false, "class_stuck", false);
  for field = fieldnames (given)'
    state.(field{1}) = given.(field{1});
  endfor
  flags = state.no_choice + 2 * state.no_step + 4 * state.class_stuck;
  send ("P", [bytes(double ([state.objective, state.norm2, state.delta, state.violation, state.gap, state.class_gap])), ...
              bytes(int32 (state.updated_class)), bytes(uint32 (flags))]);
endfunction
