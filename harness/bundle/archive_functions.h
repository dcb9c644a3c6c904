/* The functions of libarchive that write and read tar archives, see harness/support/late_library.h. */
#ifndef HULLBENCH_ARCHIVE_FUNCTIONS_H
#define HULLBENCH_ARCHIVE_FUNCTIONS_H

#include <archive.h>
#include <archive_entry.h>

#include "solvers/error.h"

#define ARCHIVE_FUNCTIONS(F) \
    F(archive_error_string) \
    F(archive_write_new) \
    F(archive_write_set_format_pax_restricted) \
    F(archive_write_open_FILE) \
    F(archive_write_header) \
    F(archive_write_data) \
    F(archive_write_close) \
    F(archive_write_free) \
    F(archive_read_new) \
    F(archive_read_support_format_tar) \
    F(archive_read_support_filter_gzip) \
    F(archive_read_open_filename) \
    F(archive_read_next_header) \
    F(archive_read_data) \
    F(archive_read_free) \
    F(archive_entry_new) \
    F(archive_entry_free) \
    F(archive_entry_filetype) \
    F(archive_entry_hardlink) \
    F(archive_entry_pathname) \
    F(archive_entry_set_filetype) \
    F(archive_entry_set_mtime) \
    F(archive_entry_set_pathname) \
    F(archive_entry_set_perm) \
    F(archive_entry_set_size) \
    F(archive_entry_sparse_count)

struct archive_functions {
    void *library; /* NULL if the program is linked with libarchive */
#define MEMBER(function) __typeof__(function) *function;
    ARCHIVE_FUNCTIONS(MEMBER)
#undef MEMBER
};

/* Loads libarchive. `path` is the archive that needs it, for the message. STATUS_BAD_INPUT if the library cannot be
 * loaded. */
enum status archive_load(struct archive_functions *functions, const char *path, struct error *error);
/* Accepts a struct of zeros. */
void archive_unload(struct archive_functions *functions);

#endif
