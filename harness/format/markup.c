/* Characters that LaTeX from 2018 on does not accept directly, without packages, become commands. */
#include "harness/format/markup.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "harness/support/decimal.h"
#include "solvers/visible_text.h"

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

void markdown_text(FILE *stream, const char *text)
{
    for (const char *at = text; *at; at++) {
        fputs(is_markup(text, at) ? "\\" : "", stream);
        fputc(*at == '\n' ? ' ' : *at, stream);
    }
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

/* Characters that are commands, with their widths in hundredths of a point in Computer Modern at 10 pt (cmr10.tfm,
 * cmsy10.tfm and cmmi10.tfm), 0 if unknown or ASCII. Superscripts are taken at \footnotesize, where they are
 * widest relative to the text, with TeX's \scriptspace. */
static const struct latex_character {
    const char *text, *command;
    short width;
} latex_characters[] = {
    {"±", "$\\pm$", 778}, {"≈", "$\\approx$", 778}, {"≠", "$\\neq$", 0}, {"†", "$^\\dagger$", 470},
    {"‡", "$^\\ddagger$", 470}, {"\u202f", "\\,", 167}, {"\u00a0", "~", 334}, {"≟", "$\\stackrel{?}{=}$", 0},
    {"≤", "$\\leq$", 778}, {"≥", "$\\geq$", 778}, {"γ", "$\\gamma$", 518}, {"ε", "$\\varepsilon$", 467},
    {"κ", "$\\kappa$", 576}, {"λ", "$\\lambda$", 584}, {"μ", "$\\mu$", 603}, {"ν", "$\\nu$", 494},
    {"σ", "$\\sigma$", 571}, {"τ", "$\\tau$", 437}, {"χ", "$\\chi$", 626}, {"α", "$\\alpha$", 640},
    {"β", "$\\beta$", 0}, {"δ", "$\\delta$", 0}, {"ζ", "$\\zeta$", 0}, {"η", "$\\eta$", 0}, {"θ", "$\\theta$", 0},
    {"ι", "$\\iota$", 0}, {"ξ", "$\\xi$", 0}, {"π", "$\\pi$", 0}, {"ρ", "$\\rho$", 0}, {"υ", "$\\upsilon$", 0},
    {"φ", "$\\varphi$", 0}, {"ψ", "$\\psi$", 0}, {"ω", "$\\omega$", 0}, {"ς", "$\\varsigma$", 0}, {"ϕ", "$\\phi$", 0},
    {"Γ", "$\\Gamma$", 0}, {"Θ", "$\\Theta$", 0}, {"Λ", "$\\Lambda$", 0}, {"Ξ", "$\\Xi$", 0}, {"Π", "$\\Pi$", 0},
    {"Φ", "$\\Phi$", 0}, {"Ψ", "$\\Psi$", 0}, {"Ω", "$\\Omega$", 0}, {"Υ", "$\\Upsilon$", 0}, {"µ", "$\\mu$", 0},
    {"ο", "o", 0}, {"Α", "A", 0}, {"Β", "B", 0}, {"Ε", "E", 0}, {"Ζ", "Z", 0}, {"Η", "H", 0}, {"Ι", "I", 0},
    {"Κ", "K", 0}, {"Μ", "M", 0}, {"Ν", "N", 0}, {"Ο", "O", 0}, {"Ρ", "P", 0}, {"Τ", "T", 0}, {"Χ", "X", 0},
    {"₀", "$_0$", 0}, {"₁", "$_1$", 0}, {"₃", "$_3$", 0}, {"₄", "$_4$", 0}, {"₅", "$_5$", 0}, {"₆", "$_6$", 0},
    {"₇", "$_7$", 0}, {"₈", "$_8$", 0}, {"₉", "$_9$", 0}, {"ℓ", "$\\ell$", 0}, {"→", "$\\rightarrow$", 0},
    {"∈", "$\\in$", 0}, {"∑", "$\\sum$", 0}, {"‑", "-", 0}, {"Δ", "$\\Delta$", 0}, {"Σ", "$\\Sigma$", 0},
    {"⁰", "$^0$", 490}, {"¹", "$^1$", 490}, {"²", "$^2$", 490}, {"³", "$^3$", 490}, {"⁴", "$^4$", 490},
    {"⁵", "$^5$", 490}, {"⁶", "$^6$", 490}, {"⁷", "$^7$", 490}, {"⁸", "$^8$", 490}, {"⁹", "$^9$", 490},
    {"⁺", "$^+$", 740}, {"⁻", "$^-$", 740}, {"₂", "$_2$", 0}, {"₊", "$_+$", 0}, {"₋", "$_-$", 0}, {"–", "--", 500},
    {"—", "---", 0}, {"−", "$-$", 778}, {"…", "\\dots{}", 0}, {"×", "$\\times$", 778}, {"·", "$\\cdot$", 278},
    {"½", "$\\frac12$", 0}, {"√", "$\\surd$", 0}, {"∞", "$\\infty$", 0}, {"‖", "$\\Vert$", 0}, {"’", "'", 0},
    {"‘", "`", 0}, {"“", "``", 0}, {"”", "''", 0}, {"°", "$^\\circ$", 0}, {"%", "\\%", 0},
    {"\\", "\\textbackslash{}", 0}, {"&", "\\&", 0}, {"$", "\\$", 0}, {"#", "\\#", 0}, {"_", "\\_", 0},
    {"{", "\\{", 0}, {"}", "\\}", 0}, {"~", "\\textasciitilde{}", 0}, {"^", "\\textasciicircum{}", 0}, {"<", "$<$", 0},
    {">", "$>$", 0}, {"=", "$=$", 0}, {"|", "$|$", 0},
    /* At the beginning of a row they would be arguments of the end of the row before. */
    {"[", "{[}", 0}, {"*", "{*}", 0}, {"\"", "\\char34{}", 0}, {"\n", " ", 0},
};

static const struct latex_character *find_character(const char *text)
{
    for (size_t i = 0; i < sizeof latex_characters / sizeof *latex_characters; i++)
        if (*text == *latex_characters[i].text &&
            strncmp(text, latex_characters[i].text, strlen(latex_characters[i].text)) == 0)
            return &latex_characters[i];
    return NULL;
}

/* The length in bytes of the character at the start of the text. */
static size_t length_of(const char *text)
{
    size_t length = 1;
    while (((unsigned char)text[length] & 0xc0) == 0x80)
        length++;
    return length;
}

static int is_digit(char sign)
{
    return sign >= '0' && sign <= '9';
}

/* Writes one character and returns its length in bytes. Latin letters pass unchanged; unknown characters are named, and
 * bytes that are not UTF-8 count as U+FFFD. */
static size_t put_character(FILE *stream, const char *text)
{
    if (is_digit(*text) || ((*text | 0x20) >= 'a' && (*text | 0x20) <= 'z')) { /* most of them */
        fputc(*text, stream);
        return 1;
    }
    const struct latex_character *found = find_character(text);
    const size_t length = length_of(text);
    uint32_t point;
    if (found)
        fputs(found->command, stream);
    else if (strchr("-'`", *text) && text[1] == *text) /* no ligature */
        fprintf(stream, "%c{}", *text);
    else if (utf8_decode(text, &point) == 0)
        fputs("{[}U+FFFD]", stream);
    else if (point >= 0x80 ? point >= 0xc0 && point < 0x180 : point >= 0x20 && point < 0x7f)
        fwrite(text, 1, length, stream);
    else
        fprintf(stream, "{[}U+%04lX]", (unsigned long)point);
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

/* From the space on, as the characters in latex_characters. */
static const short ascii[] = {
    /*   ! " # $ % & ' */ 334, 278, 500, 834, 500, 834, 778, 278,
    /* ( ) * + , - . / */ 389, 389, 500, 778, 278, 334, 278, 500,
    /* 0 to 9, : ; */ 500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 278, 278,
    /* < = > ? @ */ 778, 778, 778, 473, 778,
    /* A to M */ 750, 709, 723, 764, 681, 653, 785, 750, 362, 514, 778, 625, 917,
    /* N to Z */ 750, 778, 681, 778, 737, 556, 723, 750, 750, 1028, 750, 750, 612,
    /* [ \ ] ^ _ ` */ 278, 500, 278, 500, 360, 278,
    /* a to m */ 500, 556, 445, 556, 445, 306, 500, 556, 278, 306, 528, 278, 834,
    /* n to z */ 556, 500, 556, 528, 392, 395, 389, 556, 528, 723, 528, 528, 445,
    /* { | } ~ */ 500, 278, 500, 500,
};

double latex_width(const char *text, size_t size, int bold)
{
    double width = 0;
    for (const char *end = text + size; text < end; text += length_of(text)) {
        const int place = (unsigned char)*text - ' ';
        const struct latex_character *found = place >= 0x80 - ' ' ? find_character(text) : NULL;
        width += place >= 0 && place < (int)(sizeof ascii / sizeof *ascii) ? ascii[place]
                 : found && found->width                                  ? found->width
                                                                          : 1000;
    }
    return width / 100 * (bold ? 1.15 : 1);
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
