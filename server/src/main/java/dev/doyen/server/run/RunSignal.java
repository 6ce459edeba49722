package dev.doyen.server.run;

/** A signal that the running process catches, and hands on to the command. Source: signal(7), x86 and ARM numbers. */
public enum RunSignal {
    HUP(1, true, false),
    INT(2, true, true),
    USR1(10, false, false),
    USR2(12, false, false),
    TERM(15, true, true),
    WINCH(28, false, false);

    private final int number;
    private final boolean endsWaiting;
    private final boolean endsCommand;

    RunSignal(int number, boolean endsWaiting, boolean endsCommand) {
        this.number = number;
        this.endsWaiting = endsWaiting;
        this.endsCommand = endsCommand;
    }

    /** What a shell says of a process that this signal ended. */
    public int exitCode() {
        return 128 + number;
    }

    /** True if a process without a command to hand it to ends by it. */
    boolean endsWaiting() {
        return endsWaiting;
    }

    /** True if the command is meant to end by it: the grace begins. */
    boolean endsCommand() {
        return endsCommand;
    }
}
