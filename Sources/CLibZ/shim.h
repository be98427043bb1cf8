// zlib as Swift can call it.
#pragma once

#include <zlib.h>
