package dev.doyen.server.cli;

/** How much the program says, and in which form. */
@FunctionalInterface
interface Voice {

    /** True if everything is wanted. Lets only warnings through to the log otherwise, as JSON lines if so wanted. */
    boolean tune(boolean json);
}
