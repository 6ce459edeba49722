package dev.doyen.cli.run.driver;

/**
 * A live process in the process list of the kernel (proc(5)).
 *
 * @param group the process group; 0 if this system does not provide it
 * @param session the session; 0 if this system does not provide it
 */
record ProcessEntry(long pid, long parent, long group, long session) {}
