package dev.doyen.cli.run.driver;

/**
 * A living process, as the kernel lists it (proc(5)).
 *
 * @param group its process group; 0 if it cannot be determined on this system
 * @param session its session; 0 if it cannot be determined on this system
 */
record ProcessEntry(long pid, long parent, long group, long session) {}
