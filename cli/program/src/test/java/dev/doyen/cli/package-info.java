/**
 * Tests of the command line program. Some of these tests start servers on free ports, and some run commands as real
 * processes.
 */
@NullMarked
package dev.doyen.cli;

import org.jspecify.annotations.NullMarked;
