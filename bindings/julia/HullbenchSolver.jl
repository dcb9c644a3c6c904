"""
Solvers of hullbench in Julia; not tested, because Debian has no Julia. A declaration (docs/programs.md) names the
program, which has the lines

    include(joinpath(ENV["HULLBENCH_BINDINGS"], "julia", "HullbenchSolver.jl"))
    HullbenchSolver.serve(init, step, multipliers)

hullbench calls `init(problem)` once a problem, then `step()` until its stopping rule is met or a budget is spent, and
`multipliers()` when it wants the n multipliers. `init` and `step` return a `State`. An error fails the job with its
text. What the solver prints must go to `stderr`. Patterns are numbered from 1.
"""
module HullbenchSolver

export State, Problem, row, weighted_sum, diagonal, values, serve

"The state after the last step, with the update that the next one would make; NaN: not known."
Base.@kwdef mutable struct State
    objective::Float64
    norm2::Float64
    delta::Float64
    violation::Float64 = NaN
    gap::Float64 = NaN
    class_gap::Tuple{Float64,Float64} = (NaN, NaN)
    updated_class::Int32 = 0
    no_choice::Bool = false
    no_step::Bool = false
    class_stuck::Bool = false
end

struct Problem
    n::Int
    tolerance::Float64
    parameters::Dict{String,Float64}
    y::Vector{Int8}
end

function frame()
    eof(stdin) && exit(0)
    kind = Char(read(stdin, UInt8))
    read(stdin, 3)
    return kind, read(stdin, read(stdin, UInt32))
end

function send(kind, parts...)
    content = IOBuffer()
    foreach(part -> write(content, part), parts)
    data = take!(content)
    write(stdout, UInt8(kind), zeros(UInt8, 3), UInt32(length(data)), data)
    flush(stdout)
end

function ask(kind, parts...)
    send(kind, parts...)
    return collect(reinterpret(Float64, frame()[2]))
end

numbers(patterns) = UInt32.(patterns .- 1)

"k(x_i, x_j) for all j: n kernel operations."
row(::Problem, i) = ask('R', UInt32(i - 1))
"sum over k of weights[k] k(x_patterns[k], x_j) for all j: n kernel operations for each pattern."
weighted_sum(::Problem, patterns, weights) =
    ask('W', UInt32(length(patterns)), UInt32(0), Float64.(weights), numbers(patterns))
"k(x_j, x_j) for all j: n kernel operations."
diagonal(::Problem) = ask('D')
"k(x_i[k], x_j[k]) for all k: one kernel operation each."
values(::Problem, i, j) = ask('V', UInt32(length(i)), UInt32(0), numbers(i), numbers(j))

function problem_of(content)
    io = IOBuffer(content)
    version, n, tolerance = read(io, UInt32), Int(read(io, UInt32)), read(io, Float64)
    count, name_bytes = Int(read(io, UInt32)), Int(read(io, UInt32))
    version == 1 || error("hullbench speaks version $version of the protocol; this file has 1")
    reals = [read(io, Float64) for _ in 1:count]
    names = split(String(read(io, name_bytes)), '\0')
    parameters = Dict(String(names[p]) => reals[p] for p in 1:count)
    return Problem(n, tolerance, parameters, collect(reinterpret(Int8, read(io, n))))
end

function send_state(s::State)
    flags = UInt32(s.no_choice) | UInt32(s.no_step) << 1 | UInt32(s.class_stuck) << 2
    send('P', s.objective, s.norm2, s.delta, s.violation, s.gap, s.class_gap..., s.updated_class, flags)
end

"Answers hullbench until it ends the program."
function serve(init, step, multipliers)
    while true
        kind, content = frame()
        try
            kind == 'B' && send_state(init(problem_of(content)))
            kind == 'S' && send_state(step())
            kind == 'M' && send('M', Float64.(multipliers()))
        catch problem
            send('F', first(sprint(showerror, problem), 150))
            exit(1)
        end
    end
end

end
