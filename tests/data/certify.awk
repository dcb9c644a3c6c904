# The relative duality gap (P - D) / D of a model written by `hullbench solve --data`, computed only from the model file
# and the data; docs/own-data.md defines P and D. Variables: formulation, square (C of a square penalty, or 0), c (bound
# of the multipliers of an SVM dual), bound (for hulls and minimum norm), added (s of the minimum norm).
#
# usage: awk -v formulation=NAME ... -f certify.awk MODEL DATA
function key(    k, i, pair) {
    k = ""
    for (i = 2; i <= NF; i++) {
        split($i, pair, ":")
        if (pair[2] != 0)
            k = k sprintf(" %d:%.12g", pair[1], pair[2])
    }
    return k
}
function kernel(a, b,    d, sum) {
    sum = 0
    for (d in used)
        sum += (x[a, d] - x[b, d]) ^ 2
    return exp(-gamma * sum)
}
# The smallest sum of w v over 0 <= w <= limit, sum w = 1, over the rows of class `of`; 0: all.
function mixture(v, of, limit,    i, j, m, t, s, left, w, sum) {
    m = 0
    for (i = 1; i <= n; i++)
        if (of == 0 || y[i] == of)
            s[++m] = v[i]
    for (i = 2; i <= m; i++) {
        t = s[i]
        for (j = i - 1; j > 0 && s[j] > t; j--)
            s[j + 1] = s[j]
        s[j + 1] = t
    }
    left = 1
    sum = 0
    for (i = 1; i <= m && left > 0; i++) {
        w = left < limit ? left : limit
        sum += w * s[i]
        left -= w
    }
    return sum
}
function slack(b, power,    i, xi, sum) {
    sum = 0
    for (i = 1; i <= n; i++) {
        xi = 1 - y[i] * (f[i] + b)
        if (xi > 0)
            sum += power == 2 ? xi * xi : xi
    }
    return sum
}
# The minimum over b of the sum of squared slacks, which is convex.
function least_squares(    low, high, i, a, b) {
    low = -1000
    high = 1000
    for (i = 0; i < 200; i++) {
        a = low + (high - low) / 3
        b = high - (high - low) / 3
        if (slack(a, 2) < slack(b, 2))
            high = b
        else
            low = a
    }
    return slack(low, 2)
}
FNR == NR && /^gamma/ { gamma = $2 }
FNR == NR && /^rho/ { rho = $2 }
FNR == NR && inside { of = $1 > 0 ? 1 : -1; k = of key(); weight[k, ++count[k]] = $1 * of; next }
FNR == NR { inside = /^SV/; next }
{
    y[++n] = $1 > 0 ? 1 : -1
    k = y[n] key()
    alpha[n] = ++taken[k] <= count[k] ? weight[k, taken[k]] : 0
    found += alpha[n] != 0
    for (i = 2; i <= NF; i++) {
        split($i, pair, ":")
        x[n, pair[1]] = pair[2]
        used[pair[1]]
    }
}
END {
    for (k in count)
        vectors += count[k]
    for (i = 1; i <= n; i++) {
        sum += alpha[i]
        balance += y[i] * alpha[i]
        of_class[y[i]] += alpha[i]
    }
    hulls = formulation == "hulls"
    norm = formulation == "norm"
    for (i = 1; i <= n; i++) {
        if (hulls)
            alpha[i] /= of_class[y[i]]
        if (norm)
            alpha[i] /= sum
        if (alpha[i] > (hulls || norm ? bound : c) * (1 + 1e-9) || alpha[i] < 0)
            outside = 1
    }
    for (i = 1; i <= n; i++) {
        f[i] = 0
        for (j = 1; j <= n; j++)
            if (alpha[j] > 0)
                f[i] += alpha[j] * y[j] * (kernel(i, j) + (norm ? added ^ 2 : 0))
        plain += alpha[i] * y[i] * f[i]
        squares += alpha[i] ^ 2
        margin[i] = y[i] * (f[i] + (square > 0 && (hulls || norm) ? y[i] * alpha[i] / square : 0))
        if (i == 1 || margin[i] < least)
            least = margin[i]
    }
    norm2 = plain + (square > 0 ? squares / square : 0)
    if (formulation == "C-SVM" || formulation == "2-SVM")
        outside = outside || (balance > 0 ? balance : -balance) > 1e-9 * (1 + sum)
    dual = sum - norm2 / 2
    if (hulls) {
        primal = norm2 / 2
        dual = mixture(margin, 1, bound) + mixture(margin, -1, bound) - primal
    } else if (norm) {
        primal = norm2 / 2
        dual = mixture(margin, 0, bound) - primal
    } else if (formulation == "C-SVM")
        primal = plain / 2 + c * slack(-rho, 1)
    else if (formulation == "2-SVM")
        primal = plain / 2 + square / 2 * least_squares()
    else if (formulation == "soft")
        primal = plain / 2 + c * slack(0, 1)
    else
        primal = least > 0 ? plain / 2 / least ^ 2 : 1e300
    if (outside || found != vectors)
        print "infeasible"
    else if (dual <= 0)
        print "inf"
    else
        printf "%.9g\n", (primal - dual) / dual
}
