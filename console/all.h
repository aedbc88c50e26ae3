#ifndef SCREENS_H
#define SCREENS_H
/* The tables of the screens, one for each file of this folder. */
#include "console/console.h"

extern const struct console_row home_screens[];
extern const struct console_row key_screens[];
extern const struct console_row keys_screens[];

#endif
