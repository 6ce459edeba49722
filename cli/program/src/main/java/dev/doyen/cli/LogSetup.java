package dev.doyen.cli;

/** Sets the detail and the format of the log. */
@FunctionalInterface
interface LogSetup {

    /**
     * Reduces the log to warnings unless {@code --verbose} is set.
     *
     * @param json true if the log is written as JSON lines
     * @return whether {@code --verbose} is set
     */
    boolean configure(boolean json);
}
