/* Characters that LaTeX from 2018 on does not accept directly, without packages, become commands. */
#include "harness/format/latex_text.h"

#include <string.h>

static const char *const written[][2] = {
    {"±", "$\\pm$"},
    {"≈", "$\\approx$"},
    {"≠", "$\\neq$"},
    {"†", "$^\\dagger$"},
    {"‡", "$^\\ddagger$"},
    {"\u202f", "\\,"},
    {"\u00a0", "~"},
    {"≟", "$\\stackrel{?}{=}$"},
    {"≤", "$\\leq$"},
    {"≥", "$\\geq$"},
    {"γ", "$\\gamma$"},
    {"ε", "$\\varepsilon$"},
    {"κ", "$\\kappa$"},
    {"λ", "$\\lambda$"},
    {"μ", "$\\mu$"},
    {"ν", "$\\nu$"},
    {"σ", "$\\sigma$"},
    {"τ", "$\\tau$"},
    {"χ", "$\\chi$"},
    {"α", "$\\alpha$"},
    {"β", "$\\beta$"},
    {"δ", "$\\delta$"},
    {"ζ", "$\\zeta$"},
    {"η", "$\\eta$"},
    {"θ", "$\\theta$"},
    {"ι", "$\\iota$"},
    {"ξ", "$\\xi$"},
    {"π", "$\\pi$"},
    {"ρ", "$\\rho$"},
    {"υ", "$\\upsilon$"},
    {"φ", "$\\varphi$"},
    {"ψ", "$\\psi$"},
    {"ω", "$\\omega$"},
    {"ς", "$\\varsigma$"},
    {"ϕ", "$\\phi$"},
    {"Γ", "$\\Gamma$"},
    {"Θ", "$\\Theta$"},
    {"Λ", "$\\Lambda$"},
    {"Ξ", "$\\Xi$"},
    {"Π", "$\\Pi$"},
    {"Φ", "$\\Phi$"},
    {"Ψ", "$\\Psi$"},
    {"Ω", "$\\Omega$"},
    {"Υ", "$\\Upsilon$"},
    {"µ", "$\\mu$"},
    {"ο", "o"},
    {"Α", "A"},
    {"Β", "B"},
    {"Ε", "E"},
    {"Ζ", "Z"},
    {"Η", "H"},
    {"Ι", "I"},
    {"Κ", "K"},
    {"Μ", "M"},
    {"Ν", "N"},
    {"Ο", "O"},
    {"Ρ", "P"},
    {"Τ", "T"},
    {"Χ", "X"},
    {"₀", "$_0$"},
    {"₁", "$_1$"},
    {"₃", "$_3$"},
    {"₄", "$_4$"},
    {"₅", "$_5$"},
    {"₆", "$_6$"},
    {"₇", "$_7$"},
    {"₈", "$_8$"},
    {"₉", "$_9$"},
    {"ℓ", "$\\ell$"},
    {"→", "$\\rightarrow$"},
    {"∈", "$\\in$"},
    {"∑", "$\\sum$"},
    {"‑", "-"},
    {"Δ", "$\\Delta$"},
    {"Σ", "$\\Sigma$"},
    {"⁰", "$^0$"},
    {"¹", "$^1$"},
    {"²", "$^2$"},
    {"³", "$^3$"},
    {"⁴", "$^4$"},
    {"⁵", "$^5$"},
    {"⁶", "$^6$"},
    {"⁷", "$^7$"},
    {"⁸", "$^8$"},
    {"⁹", "$^9$"},
    {"⁺", "$^+$"},
    {"⁻", "$^-$"},
    {"₂", "$_2$"},
    {"₊", "$_+$"},
    {"₋", "$_-$"},
    {"–", "--"},
    {"—", "---"},
    {"−", "$-$"},
    {"…", "\\dots{}"},
    {"×", "$\\times$"},
    {"·", "$\\cdot$"},
    {"½", "$\\frac12$"},
    {"√", "$\\surd$"},
    {"∞", "$\\infty$"},
    {"‖", "$\\Vert$"},
    {"’", "'"},
    {"‘", "`"},
    {"“", "``"},
    {"”", "''"},
    {"†", "\\dag{}"},
    {"°", "$^\\circ$"},
    {"%", "\\%"},
    {"\\", "\\textbackslash{}"},
    {"&", "\\&"},
    {"$", "\\$"},
    {"#", "\\#"},
    {"_", "\\_"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"~", "\\textasciitilde{}"},
    {"^", "\\textasciicircum{}"},
    {"<", "$<$"},
    {">", "$>$"},
    {"=", "$=$"},
    {"|", "$|$"},
    /* At the beginning of a row they would be arguments of the end of the row before. */
    {"[", "{[}"},
    {"*", "{*}"},
    {"\"", "\\char34{}"},
    {"\n", " "},
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
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        length = strlen(written[i][0]);
        if (*text == *written[i][0] && strncmp(text, written[i][0], length) == 0) {
            fputs(written[i][1], stream);
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
