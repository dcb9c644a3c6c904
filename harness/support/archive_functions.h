/*
 * The functions of libarchive that write and read archives and compressed files. libarchive brings some twenty other
 * libraries; loading them at every start takes longer than many commands need, so it is loaded when a file needs it.
 */
#ifndef HULLBENCH_ARCHIVE_FUNCTIONS_H
#define HULLBENCH_ARCHIVE_FUNCTIONS_H

#include <archive.h>
#include <archive_entry.h>

#define ARCHIVE_FUNCTIONS(F) \
    F(archive_errno) \
    F(archive_error_string) \
    F(archive_write_new) \
    F(archive_write_set_format_pax_restricted) \
    F(archive_write_open_FILE) \
    F(archive_write_set_options) \
    F(archive_write_header) \
    F(archive_write_data) \
    F(archive_write_close) \
    F(archive_write_free) \
    F(archive_read_new) \
    F(archive_read_support_format_tar) \
    F(archive_read_support_format_raw) \
    F(archive_read_support_format_empty) \
    F(archive_read_support_filter_gzip) \
    F(archive_read_support_filter_bzip2) \
    F(archive_read_support_filter_xz) \
    F(archive_read_support_filter_zstd) \
    F(archive_read_set_callback_data) \
    F(archive_read_set_read_callback) \
    F(archive_read_open1) \
    F(archive_read_open_filename) \
    F(archive_read_next_header2) \
    F(archive_read_data) \
    F(archive_filter_count) \
    F(archive_filter_bytes) \
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

#define ARCHIVE_MEMBER(function) __typeof__(function) *function;
struct archive_functions {
    ARCHIVE_FUNCTIONS(ARCHIVE_MEMBER)
};

/* Fills the struct; the library stays loaded. STATUS_BAD_INPUT if it cannot be loaded or lacks a function; `path` is
 * the file that needs it, for the message. The second from a library of this name. */
void archive_load(struct archive_functions *functions, const char *path);
void archive_load_from(const char *soname, struct archive_functions *functions, const char *path);

#endif
