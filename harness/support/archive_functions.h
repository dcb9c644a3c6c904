/* The functions of libarchive that write and read archives and compressed files, see harness/support/lazy_library.h. */
#ifndef HULLBENCH_ARCHIVE_FUNCTIONS_H
#define HULLBENCH_ARCHIVE_FUNCTIONS_H

#include <archive.h>
#include <archive_entry.h>

#include "harness/support/lazy_library.h"

#define ARCHIVE_FUNCTIONS(F, x) \
    F(x, archive_errno) \
    F(x, archive_error_string) \
    F(x, archive_write_new) \
    F(x, archive_write_set_format_pax_restricted) \
    F(x, archive_write_open_FILE) \
    F(x, archive_write_set_options) \
    F(x, archive_write_header) \
    F(x, archive_write_data) \
    F(x, archive_write_close) \
    F(x, archive_write_free) \
    F(x, archive_read_new) \
    F(x, archive_read_support_format_tar) \
    F(x, archive_read_support_format_raw) \
    F(x, archive_read_support_format_empty) \
    F(x, archive_read_support_filter_gzip) \
    F(x, archive_read_support_filter_bzip2) \
    F(x, archive_read_support_filter_xz) \
    F(x, archive_read_support_filter_zstd) \
    F(x, archive_read_set_callback_data) \
    F(x, archive_read_set_read_callback) \
    F(x, archive_read_open1) \
    F(x, archive_read_open_filename) \
    F(x, archive_read_next_header2) \
    F(x, archive_read_data) \
    F(x, archive_filter_count) \
    F(x, archive_filter_bytes) \
    F(x, archive_read_free) \
    F(x, archive_entry_new) \
    F(x, archive_entry_free) \
    F(x, archive_entry_filetype) \
    F(x, archive_entry_hardlink) \
    F(x, archive_entry_pathname) \
    F(x, archive_entry_set_filetype) \
    F(x, archive_entry_set_mtime) \
    F(x, archive_entry_set_pathname) \
    F(x, archive_entry_set_perm) \
    F(x, archive_entry_set_size) \
    F(x, archive_entry_sparse_count)

LAZY_FUNCTIONS(archive, ARCHIVE_FUNCTIONS);

#endif
