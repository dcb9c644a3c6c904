/* Characters that LaTeX from 2018 on does not accept directly, without packages, become commands. */
#include "harness/format/markup.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "harness/support/decimal.h"
#include "solvers/visible_text.h"

/* Continuation bytes of UTF-8 are 10xxxxxx. */
size_t utf8_characters(const char *text, size_t bytes)
{
    size_t count = 0;
    for (size_t i = 0; i < bytes; i++)
        count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

size_t utf8_width(const char *text)
{
    return utf8_characters(text, strlen(text));
}

/* ---- CSV ---- */

static int is_formula(const char *text)
{
    const char *begin = text + strspn(text, "'"), *end = begin;
    if (!*begin || !begin[1] || !strchr("=+-@", *begin))
        return 0;
    decimal_parse(begin, &end);
    return begin > text || *end;
}

void csv_text(FILE *stream, const char *text)
{
    const char *quote = strpbrk(text, ",\"\r\n") ? "\"" : "";
    if (!*quote && !strchr("'=+-@", *text)) { /* most texts */
        fputs(text, stream);
        return;
    }
    fputs(quote, stream);
    fputs(is_formula(text) ? "'" : "", stream);
    for (const char *next; (next = strchr(text, '"')); text = next + 1) {
        fwrite(text, 1, (size_t)(next - text), stream);
        fputs("\"\"", stream);
    }
    fputs(text, stream);
    fputs(quote, stream);
}

/* ---- Markdown ---- */

/* Whether Markdown reads the character at `at` as markup: brackets only of a link, emphasis only in pairs. */
static int is_markup(const char *text, const char *at)
{
    if (*at == '[' || *at == ']')
        return strstr(text, "](") != NULL || strstr(text, "][") != NULL;
    if (strchr("*_~$", *at))
        return strchr(text, *at) != strrchr(text, *at);
    return strchr("\\`<>|#&", *at) != NULL;
}

size_t markdown_text(FILE *stream, const char *text)
{
    const char *whole = text;
    size_t added = 0;
    for (; *text; text++) {
        const int is_special = is_markup(whole, text);
        added += is_special ? 1 : 0;
        if (stream && is_special)
            fputc('\\', stream);
        if (stream)
            fputc(*text == '\n' ? ' ' : *text, stream);
    }
    return added;
}

void put_markdown(FILE *stream, const char *format, ...)
{
    va_list texts;
    va_start(texts, format);
    for (; *format; format++) {
        if (strncmp(format, "%s", 2) != 0) {
            fputc(*format, stream);
            continue;
        }
        markdown_text(stream, va_arg(texts, const char *));
        format++;
    }
    va_end(texts);
}

/* Whether a tag begins at `at`, or a link's text ends: "](", "][" and, for its address elsewhere, "]:". */
static int is_active(const char *at)
{
    return (*at == '<' && (isalpha((unsigned char)at[1]) || (at[1] && strchr("/!?", at[1])))) ||
           (*at == ']' && at[1] && strchr("([:", at[1]));
}

void markdown_without_html(FILE *stream, const char *markdown)
{
    for (int is_escaped = 0; *markdown; markdown++) {
        if (!is_escaped && is_active(markdown))
            fputc('\\', stream);
        fputc(*markdown, stream);
        is_escaped = !is_escaped && *markdown == '\\';
    }
}

/* ---- LaTeX ---- */

static const char *const latex_commands[][2] = {
    {"±", "$\\pm$"}, {"≈", "$\\approx$"}, {"≠", "$\\neq$"}, {"†", "$^\\dagger$"}, {"‡", "$^\\ddagger$"},
    {"\u202f", "\\,"}, {"\u00a0", "~"}, {"≟", "$\\stackrel{?}{=}$"}, {"≤", "$\\leq$"}, {"≥", "$\\geq$"},
    {"γ", "$\\gamma$"}, {"ε", "$\\varepsilon$"}, {"κ", "$\\kappa$"}, {"λ", "$\\lambda$"}, {"μ", "$\\mu$"},
    {"ν", "$\\nu$"}, {"σ", "$\\sigma$"}, {"τ", "$\\tau$"}, {"χ", "$\\chi$"}, {"α", "$\\alpha$"}, {"β", "$\\beta$"},
    {"δ", "$\\delta$"}, {"ζ", "$\\zeta$"}, {"η", "$\\eta$"}, {"θ", "$\\theta$"}, {"ι", "$\\iota$"}, {"ξ", "$\\xi$"},
    {"π", "$\\pi$"}, {"ρ", "$\\rho$"}, {"υ", "$\\upsilon$"}, {"φ", "$\\varphi$"}, {"ψ", "$\\psi$"},
    {"ω", "$\\omega$"}, {"ς", "$\\varsigma$"}, {"ϕ", "$\\phi$"}, {"Γ", "$\\Gamma$"}, {"Θ", "$\\Theta$"},
    {"Λ", "$\\Lambda$"}, {"Ξ", "$\\Xi$"}, {"Π", "$\\Pi$"}, {"Φ", "$\\Phi$"}, {"Ψ", "$\\Psi$"}, {"Ω", "$\\Omega$"},
    {"Υ", "$\\Upsilon$"}, {"µ", "$\\mu$"}, {"ο", "o"}, {"Α", "A"}, {"Β", "B"}, {"Ε", "E"}, {"Ζ", "Z"}, {"Η", "H"},
    {"Ι", "I"}, {"Κ", "K"}, {"Μ", "M"}, {"Ν", "N"}, {"Ο", "O"}, {"Ρ", "P"}, {"Τ", "T"}, {"Χ", "X"}, {"₀", "$_0$"},
    {"₁", "$_1$"}, {"₃", "$_3$"}, {"₄", "$_4$"}, {"₅", "$_5$"}, {"₆", "$_6$"}, {"₇", "$_7$"}, {"₈", "$_8$"},
    {"₉", "$_9$"}, {"ℓ", "$\\ell$"}, {"→", "$\\rightarrow$"}, {"∈", "$\\in$"}, {"∑", "$\\sum$"}, {"‑", "-"},
    {"Δ", "$\\Delta$"}, {"Σ", "$\\Sigma$"}, {"⁰", "$^0$"}, {"¹", "$^1$"}, {"²", "$^2$"}, {"³", "$^3$"}, {"⁴", "$^4$"},
    {"⁵", "$^5$"}, {"⁶", "$^6$"}, {"⁷", "$^7$"}, {"⁸", "$^8$"}, {"⁹", "$^9$"}, {"⁺", "$^+$"}, {"⁻", "$^-$"},
    {"₂", "$_2$"}, {"₊", "$_+$"}, {"₋", "$_-$"}, {"–", "--"}, {"—", "---"}, {"−", "$-$"}, {"…", "\\dots{}"},
    {"×", "$\\times$"}, {"·", "$\\cdot$"}, {"½", "$\\frac12$"}, {"√", "$\\surd$"}, {"∞", "$\\infty$"},
    {"‖", "$\\Vert$"}, {"’", "'"}, {"‘", "`"}, {"“", "``"}, {"”", "''"}, {"†", "\\dag{}"}, {"°", "$^\\circ$"},
    {"%", "\\%"}, {"\\", "\\textbackslash{}"}, {"&", "\\&"}, {"$", "\\$"}, {"#", "\\#"}, {"_", "\\_"}, {"{", "\\{"},
    {"}", "\\}"}, {"~", "\\textasciitilde{}"}, {"^", "\\textasciicircum{}"}, {"<", "$<$"}, {">", "$>$"}, {"=", "$=$"},
    {"|", "$|$"},
    /* At the beginning of a row they would be arguments of the end of the row before. */
    {"[", "{[}"}, {"*", "{*}"}, {"\"", "\\char34{}"}, {"\n", " "},
};

/* The code point at the start of the text and its length in bytes; a byte that is not UTF-8 counts as U+FFFD. */
static unsigned long decode(const char *text, size_t *length)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t n = at[0] < 0x80 ? 1 : at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : at[0] >= 0xc2 ? 2 : 0;
    unsigned long point = n == 1 ? at[0] : n ? at[0] & (0x7fu >> n) : 0xfffd;
    *length = n ? n : 1;
    for (size_t i = 1; i < n; i++) {
        if ((at[i] & 0xc0) != 0x80) {
            *length = i;
            return 0xfffd;
        }
        point = point << 6 | (at[i] & 0x3f);
    }
    return point;
}

static int is_digit(char sign)
{
    return sign >= '0' && sign <= '9';
}

/* Writes one character and returns its length in bytes. Latin letters pass unchanged; unknown characters are named. */
static size_t put_character(FILE *stream, const char *text)
{
    size_t length = 1;
    if (is_digit(*text) || ((*text | 0x20) >= 'a' && (*text | 0x20) <= 'z')) { /* most of them */
        fputc(*text, stream);
        return length;
    }
    for (size_t i = 0; i < sizeof latex_commands / sizeof *latex_commands; i++) {
        length = strlen(latex_commands[i][0]);
        if (*text == *latex_commands[i][0] && strncmp(text, latex_commands[i][0], length) == 0) {
            fputs(latex_commands[i][1], stream);
            return length;
        }
    }
    unsigned long point = decode(text, &length);
    if (strchr("-'`", *text) && text[1] == *text) { /* no ligature */
        fprintf(stream, "%c{}", *text);
        return 1;
    }
    if (point >= 0x80 ? point >= 0xc0 && point < 0x180 : point >= 0x20 && point < 0x7f)
        fwrite(text, 1, length, stream);
    else
        fprintf(stream, "{[}U+%04lX]", point);
    return length;
}

void latex_text(FILE *stream, const char *text, size_t length, int breakable)
{
    for (size_t i = 0; i < length;) {
        const int inside_number = i > 0 && i + 1 < length && is_digit(text[i - 1]) && is_digit(text[i + 1]);
        int sign = breakable && !inside_number && strchr("/,.:_", text[i]) != NULL;
        i += put_character(stream, text + i);
        if (sign)
            fputs("\\allowbreak{}", stream);
    }
}

/* ---- HTML 5: escaping (section 13.3 of the standard's serialisation) ---- */

/* The length in bytes of the UTF-8 character at `text`, of `left` bytes; 0 if it is invalid or cut off. */
static size_t character_bytes(const char *text, size_t left)
{
    char next[5] = "";
    uint32_t code;
    memcpy(next, text, left < 4 ? left : 4);
    return utf8_decode(next, &code);
}

/* Copies text; `replace` (NULL: none) has the replacements of ASCII characters. */
static void copy(FILE *stream, const char *text, size_t length, const char *const *replace)
{
    for (size_t i = 0; i < length;) {
        const unsigned char c = (unsigned char)text[i];
        size_t bytes = character_bytes(text + i, length - i);
        if (replace && c < 0x80 && replace[c])
            fputs(replace[c], stream);
        else if (bytes == 0 || (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
            fputs("\xef\xbf\xbd", stream);
        else
            fwrite(text + i, 1, bytes, stream);
        i += bytes ? bytes : 1;
    }
}

void html_part(FILE *stream, const char *text, size_t length)
{
    static const char *const entities[128] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;"};
    copy(stream, text, length, entities);
}

void html_text(FILE *stream, const char *text)
{
    html_part(stream, text, strlen(text));
}

void html_copy(FILE *stream, const char *html, size_t length)
{
    copy(stream, html, length, NULL);
}
