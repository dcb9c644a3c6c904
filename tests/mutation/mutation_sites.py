"""Mutations of a C source: small changes to the code of its functions, each of which some test ought to notice.

Only bodies of functions are changed. Comments, strings, preprocessor lines, types and static tables stay as they are;
of a declaration with an initial value the value alone is changed. Calls that only free memory are never dropped,
because `make test` cannot see a leak.
"""
import bisect
import collections
import re

# start and end are offsets into the source; text replaces that range. first_line and last_line are those of the
# statement, function_begins and function_ends those of the body of its function.
Mutation = collections.namedtuple("Mutation", "operator line start end before after first_line last_line function "
                                  "function_begins function_ends")

TOKEN = re.compile(r"""
    (?P<skip>\s+|//[^\n]*|/\*.*?\*/|\#(?:\\\n|/\*.*?\*/|[^\n])*)
  | (?P<text>(?:u8|[uUL])?"(?:\\.|[^"\\])*"|(?:[uUL])?'(?:\\.|[^'\\])*')
  | (?P<number>(?:0[xX][0-9a-fA-F.]+(?:[pP][+-]?\d+)?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[uUlLfF]*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<sign>\.\.\.|<<=|>>=|->|\+\+|--|&&|\|\||<<|>>|[-+*/%&|^<>=!]=|.)
""", re.X | re.S)
Token = collections.namedtuple("Token", "kind text start end")

KEYWORDS = {"if", "else", "for", "while", "do", "switch", "case", "default", "return", "goto", "break", "continue",
            "sizeof"}
TYPES = {"void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "bool", "_Bool", "size_t",
         "ssize_t", "const", "volatile", "static", "extern", "register", "restrict", "struct", "union", "enum",
         "typedef", "FILE", "inline", "_Static_assert", "_Thread_local"}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "++", "--", "|=", "&=", "^=", "<<=", ">>="}
RELATIONS = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",)}
ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="}
LOGIC = {"&&": "||", "||": "&&"}
EXTREMES = {"fmin": "fmax", "fmax": "fmin", "MIN": "MAX", "MAX": "MIN", "min": "max", "max": "min"}
INDICES = {"i": "j", "j": "i", "a": "b", "b": "a", "row": "column", "column": "row"}
FREEING = re.compile(r"^(?:free|\w+_free|\w+_clear|\w+_close|\w+_destroy|fclose|close)\s*\(")


def tokens(source):
    """The tokens of a source without space, comments and preprocessor lines.

    >>> [t.text for t in tokens('#define A 1\\nx = "a+b"; /* c */ y--;')]
    ['x', '=', '"a+b"', ';', 'y', '--', ';']
    """
    found, at, begins_line = [], 0, True
    while at < len(source):
        match = TOKEN.match(source, at)
        if source[at] == "#" and not begins_line:
            match = re.compile("#").match(source, at)
        kind = match.lastgroup
        if kind == "skip":
            begins_line = begins_line or "\n" in match.group()
        else:
            begins_line = False
            found.append(Token(kind or "sign", match.group(), at, match.end()))
        at = match.end()
    return found


def matching(found):
    """For each opening bracket its closing one, and the other way round."""
    pair, open_ones = {}, []
    for i, token in enumerate(found):
        if token.kind != "sign":
            continue
        if token.text in "([{":
            open_ones.append(i)
        elif token.text in ")]}" and open_ones:
            pair[i] = open_ones.pop()
            pair[pair[i]] = i
    return pair


def functions(found, pair):
    """(name, first token of the body, its closing brace) of each function."""
    bodies, i = [], 0
    while i < len(found):
        if found[i].text == "{" and i in pair:
            if found[i - 1].text == ")":
                bodies.append((found[pair[i - 1] - 1].text, i + 1, pair[i]))
            i = pair[i]
        i += 1
    return bodies


def statements(found, pair, first, last):
    """(first token, token after the last) of each simple statement and of each head such as `if (...)`.

    The semicolon belongs to no statement.
    """
    parts, i = [], first
    while i < last:
        text = found[i].text
        if text in ("{", "}", ";") or text in ("else", "do"):
            i += 1
        elif text in ("if", "for", "while", "switch") and found[i + 1].text == "(":
            end = pair[i + 1] + 1
            parts.append((i, end))
            i = end
        elif text in ("case", "default"):
            while found[i].text != ":":
                i += 1
            i += 1
        else:
            end = i
            while end < last and found[end].text not in (";", "}"):
                end = pair[end] + 1 if found[end].text in ("(", "[", "{") else end + 1
            parts.append((i, end))
            i = end
    return parts


def is_declaration(found, first, end):
    """Whether a statement declares: it begins with a type, with two names, or with a name, stars and a name."""
    text = found[first].text
    if text in TYPES:
        return True
    if found[first].kind != "name" or text in KEYWORDS:
        return False
    i = first + 1
    while i < end and found[i].text == "*":
        i += 1
    if i == end or found[i].kind != "name":
        return False
    return i == first + 1 or i + 1 == end or found[i + 1].text in ("=", ",", "[")


def is_cast(found, pair, closing):
    """Whether the bracket that closes here holds a type only."""
    inside = [t.text for t in found[pair[closing] + 1:closing]]
    return bool(inside) and (inside[0] in TYPES or inside[-1] == "*") and \
        all(t == "*" or re.match(r"\w", t) for t in inside)


def is_binary(found, pair, i):
    before = found[i - 1]
    if before.text in (")", "]"):
        return not (before.text == ")" and (is_cast(found, pair, i - 1) or found[pair[i - 1] - 1].text == "sizeof"))
    return before.kind == "number" or (before.kind == "name" and before.text not in KEYWORDS | TYPES)


def other_constants(text):
    """
    >>> other_constants("0"), other_constants("1"), other_constants("2.5"), other_constants("1e-9")
    (['1'], ['0', '2'], ['0', '1', '3.5', '1.5'], ['0', '1'])
    """
    suffix = re.search(r"[uUlL]*$", text).group() if not text.lower().startswith("0x") else ""
    body = text[:len(text) - len(suffix)] if suffix else text
    try:
        value = int(body, 0) if re.fullmatch(r"0[xX][0-9a-fA-F]+|0|[1-9]\d*", body) else float(body)
    except ValueError:
        return []
    if isinstance(value, int):
        wanted = {0: ["1"], 1: ["0", "2"]}.get(value, ["0", str(value + 1), str(value - 1)])
    else:
        wanted = ["0", "1"]
        if 1e-3 <= value <= 1e3:
            wanted += [repr(value + 1), repr(value - 1)]
        wanted = [w for w in wanted if float(w) != value]
    return [w + suffix for w in dict.fromkeys(wanted)]


def of_expression(found, pair, first, end, names):
    """Yields (operator, first token, token after, replacement) for the tokens of one expression."""
    i = first
    while i < end:
        token = found[i]
        text = token.text
        if token.kind == "sign":
            binary = is_binary(found, pair, i)
            if text in RELATIONS:
                for other in RELATIONS[text]:
                    yield "relation", i, i + 1, other
            elif text in LOGIC:
                yield "logic", i, i + 1, LOGIC[text]
            elif text in ARITHMETIC and binary:
                yield "arithmetic", i, i + 1, ARITHMETIC[text]
            elif text == "!" and found[i + 1].text not in ("=",):
                yield "negation", i, i + 1, "!!"
        elif token.kind == "number":
            for other in other_constants(text):
                yield "constant", i, i + 1, other
        elif token.kind == "name":
            member = found[i - 1].text in (".", "->")
            if text == "sizeof":
                i = pair[i + 1] + 1 if found[i + 1].text == "(" else i + 2
                continue
            if text in ("true", "false"):
                yield "constant", i, i + 1, "false" if text == "true" else "true"
            elif text in EXTREMES and found[i + 1].text == "(":
                yield "extreme", i, i + 1, EXTREMES[text]
            elif text in INDICES and INDICES[text] in names and not member:
                yield "index", i, i + 1, INDICES[text]
        i += 1


def is_status_check(found, first, end, after):
    """`if (...)` with a status in it, whose only statement returns, goes to a label or breaks."""
    if found[first].text != "if" or found[after].text not in ("return", "goto", "break", "continue"):
        return False
    words = " ".join(t.text for t in found[first:end] + found[after:after + 4])
    return re.search(r"\bstatus\b|STATUS_|_OK\b", words)


def mutations(source):
    """All mutations of a source, in its order.

    >>> for m in mutations("int f(int a)\\n{\\n    if (a < 1)\\n        return g(a);\\n    return a + 2;\\n}\\n"):
    ...     print(m.operator, m.line, repr(m.before), repr(m.after))
    relation 3 '<' '<='
    relation 3 '<' '>='
    constant 3 '1' '0'
    constant 3 '1' '2'
    condition 3 'a < 1' '!(a < 1)'
    arithmetic 5 '+' '-'
    constant 5 '2' '0'
    constant 5 '2' '3'
    constant 5 '2' '1'
    >>> [m.after for m in mutations("static double *t(double *p) { const double *q = p; free(p); h(*q); return q; }")]
    ['(void)0']
    """
    found = tokens(source)
    pair = matching(found)
    starts = [0] + [m.end() for m in re.finditer("\n", source)]

    def line_of(offset):
        return bisect.bisect_right(starts, offset)

    result = []
    for function, body, closing in functions(found, pair):
        names = {t.text for t in found[body:closing] if t.kind == "name"}
        for first, end in statements(found, pair, body, closing):
            changes = []
            head = found[first].text
            if head in ("goto", "break", "continue"):
                continue
            if is_declaration(found, first, end):
                # The part after the first `=`; skips arrays and structs with braces, and static variables.
                equals = next((i for i in range(first, end) if found[i].text == "="), end)
                constant = found[first].text in ("static", "extern", "typedef", "_Static_assert")
                if not constant and equals + 1 < end and found[equals + 1].text != "{":
                    changes += of_expression(found, pair, equals + 1, end, names)
            elif head in ("if", "while", "switch"):
                changes += of_expression(found, pair, first + 2, end - 1, names)
                if head != "switch":
                    text = source[found[first + 2].start:found[end - 2].end]
                    changes.append(("condition", first + 2, end - 1, "!(" + text + ")"))
                if is_status_check(found, first, end, end):
                    after = end
                    while found[after].text != ";":
                        after += 1
                    changes.append(("status check", first, after + 1, ";"))
            elif head == "for":
                inner = first + 2
                if found[inner].text in TYPES:
                    while inner < end and found[inner].text not in ("=", ";"):
                        inner += 1
                changes += of_expression(found, pair, inner, end - 1, names)
            else:
                changes += of_expression(found, pair, first + (head == "return"), end, names)
                text = source[found[first].start:found[end - 1].end]
                acts = found[end - 1].text == ")" or any(token.text in ASSIGNMENTS for token in found[first:end])
                if head != "return" and acts and not FREEING.match(text) and not text.startswith("(void)"):
                    changes.append(("dropped", first, end, "(void)0"))
            for operator, a, b, after in changes:
                start, stop = found[a].start, found[b - 1].end
                result.append(Mutation(operator, line_of(start), start, stop, source[start:stop], after,
                                       line_of(found[first].start), line_of(found[end].start), function,
                                       line_of(found[body].start), line_of(found[closing].start)))
    return result


def mutated(source, mutation):
    """The source with the mutation; every other line keeps its number."""
    lost = mutation.before.count("\n") - mutation.after.count("\n")
    return source[:mutation.start] + mutation.after + "\n" * lost + source[mutation.end:]


if __name__ == "__main__":
    import doctest
    import sys
    sys.exit(doctest.testmod().failed > 0)
