// libarchive as Swift can call it. Its constants are casted macros, which Swift does not import.
#pragma once

#include <archive.h>
#include <archive_entry.h>

static const unsigned int dragoman_archive_type_file = AE_IFREG;
static const unsigned int dragoman_archive_type_folder = AE_IFDIR;
