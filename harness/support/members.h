/*
 * One table of members a format. The table of a JSON object says of each member its key, the kind and range of its
 * value, whether it is required, what holds without it, and where it goes in a struct. From the table come
 *   - strict reading (members_read): wrong types and ranges, unknown keys with close matches, missing members;
 *   - writing (members_write);
 *   - the object in schemas/NAME.schema.json and its table of keys in the documents. tests/docs/test_formats.c lists
 *     the tables and checks both; `make schemas` writes them. What the table cannot say (a pattern, a condition, a
 *     longer explanation) is written by hand in these files, and is kept.
 * Rules between members are plain C after the reading. A new member is a row, a field of the struct, and a sentence in
 * the document:
 *
 *     struct budget { uint64_t iterations; double seconds; };
 *     const struct member budget_members[] = {
 *         {"iterations", MEMBER_COUNT, FIELD(struct budget, iterations), .low = 1, .high = 1e15, .doc = "Updates."},
 *         {"seconds", MEMBER_REAL, FIELD(struct budget, seconds), MEMBER_ABOVE, .high = 1e9, .doc = "Of one run."},
 *         MEMBERS_END
 *     };
 *     struct budget budget;
 *     members_read(pool, budget_members, json, &place, &budget);
 *
 * Each member that is absent gets its `fallback`, so reading sets every field that the table has.
 */
#ifndef HULLBENCH_MEMBERS_H
#define HULLBENCH_MEMBERS_H

#include <stdint.h>

#include "harness/support/json_reader.h"

enum member_kind {
    MEMBER_LAST,   /* ends a table */
    MEMBER_TEXT,   /* const char *: not empty, without control characters; absent: NULL */
    MEMBER_HASH,   /* uint64_t: a text of 16 hexadecimal digits; absent: 0 */
    MEMBER_COUNT,  /* an unsigned integer of 4 or 8 bytes, or a nonnegative int */
    MEMBER_REAL,   /* double */
    MEMBER_WHOLE,  /* double, a whole number */
    MEMBER_FLAG,   /* int: 0 or 1 */
    MEMBER_CHOICE, /* int or enum: an index in `names` */
    MEMBER_TEXTS,  /* struct member_texts */
    MEMBER_OBJECT, /* a pointer to a struct of `inner_size` bytes with the members `inner`; absent: NULL */
    MEMBER_PART,   /* such a struct itself; absent: its members are absent */
    MEMBER_LIST,   /* struct member_list, or the same with the elements' type, whose members are `inner` */
    MEMBER_JSON,   /* const struct cJSON *, which is read by hand; absent: NULL */
    MEMBER_JSON_OBJECT, /* the same, but an object */
    MEMBER_JSON_LIST,   /* the same, but a list */
};

/* Each flag has a bit of its own. tests/docs/test_formats.c finds flags that no reader of the table knows. */
enum member_flags {
    MEMBER_REQUIRED = 1 << 0,  /* in files of the schema `since` and later ones */
    MEMBER_ABOVE = 1 << 1,     /* a number must be above `low`, not equal to it */
    MEMBER_NULLABLE = 1 << 2,  /* null: NAN in a double, NULL in a pointer */
    MEMBER_NOT_EMPTY = 1 << 3, /* a list has at least one element */
    MEMBER_LINES = 1 << 4,     /* a text may be empty and have several lines */
    MEMBER_OTHERS = 1 << 5,    /* of MEMBER_LAST: members that the table lacks are ignored */
    MEMBER_DISTINCT = 1 << 6,  /* no text of a list occurs twice */
    MEMBER_ALWAYS = 1 << 7,    /* is written even if it equals its fallback */
    /* Of the table of records: what verbs do with the member. */
    MEMBER_IDENTITY = 1 << 8,  /* says what was measured */
    MEMBER_MEASURE = 1 << 9,   /* a number that tables show */
    MEMBER_FIGURE = 1 << 10,   /* a measure that figures show */
    MEMBER_COST = 1 << 11,     /* a measure of work */
    MEMBER_RATIO = 1 << 12,    /* a positive measure, compared by ratios */
    MEMBER_LOWER = 1 << 13,    /* less is better */
    MEMBER_HIGHER = 1 << 14,   /* more is better */
    MEMBER_TESTED = 1 << 15,   /* measured on the test patterns */
    MEMBER_COMPARED = 1 << 16, /* a measure that `compare` shows */
    /* Of configurations (config_members). */
    CONFIG_ONLY_OF_RUNS = 1 << 17, /* the configuration of a search (harness/tune/) may not have it */
    /* Records made with another value stay valid: they show the value, or do not depend on it, or harness/run/reuse.c
     * compares it otherwise. Records made with another value of any other key are made again. */
    CONFIG_KEEPS = 1 << 18,
    /* Of run.json (run_info_members, run_info_data_members). */
    RUN_INFO_RESULT = 1 << 19,   /* of the plan and its results; the others are of program, machine and data */
    RUN_INFO_EXPORTED = 1 << 20, /* a column of exported records */
};

struct member {
    const char *key;
    enum member_kind kind;
    size_t offset, size;     /* of the field in the struct: FIELD */
    unsigned flags;          /* enum member_flags */
    double low, high;        /* of numbers, both allowed (MEMBER_ABOVE); high: bytes of a text; both 0: no limit */
    double fallback;         /* of an absent number, flag or choice */
    const char *const *names; /* of a choice, or the allowed texts; NULL-terminated */
    const struct member *inner;
    size_t inner_size;
    const char *former;      /* the key in earlier versions, which is still read */
    const char *noun;        /* in 'unknown NOUN "word"'; NULL: the key */
    const char *title, *unit; /* of a measure, for tables and axes; unit: "" for counts */
    const char *measure;     /* of a measure: its name in options, configurations and files */
    const char *path;        /* of a measure in an inner object: "OUTER.KEY" */
    const char *tolerance;   /* of a number that `hullbench check` compares: how far it may differ */
    const char *doc;         /* for the schema: a sentence, or more */
    unsigned since; /* schema number, a member "schema" of the object, of the first files that have it; 0: all have */
};

/* The offset and size of a field, the third part of a row. */
#define FIELD(type, field) .offset = offsetof(type, field), .size = sizeof(((type *)0)->field)
/* The last row of a table. */
#define MEMBERS_END {.kind = MEMBER_LAST}
#define MEMBERS_END_OTHERS_IGNORED {.kind = MEMBER_LAST, .flags = MEMBER_OTHERS}

struct member_texts LIST_OF(const char *); /* NULL-terminated, or NULL if the member is absent */
struct member_list LIST_OF(void);

/* Reads the object into a struct. Dies with STATUS_BAD_INPUT and a message that begins with the place, "FILE: KEY: ".
 * Texts, lists and inner structs are in the pool; MEMBER_JSON is borrowed from `json`. */
void members_read(struct pool *pool, const struct member *members, const struct cJSON *json,
                  const struct json_path *place, void *into);

/* A new object with the members in the order of the table; release it with cJSON_Delete. An optional member that equals
 * its fallback is left out. MEMBER_JSON is copied. */
struct cJSON *members_write(const struct member *members, const void *from);

/* Reads a hash of 16 hexadecimal digits; returns 0 and sets *hash to 0 if the value is none. */
int json_hash(const struct cJSON *value, uint64_t *hash);
/* The row with that key; NULL if there is none. */
const struct member *members_find(const struct member *members, const char *key);
/* The field of a number, flag or choice as a number; NAN for other kinds. */
double member_number(const struct member *member, const void *from);

#endif
