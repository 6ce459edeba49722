package dev.doyen.process;

/**
 * A signal that this process catches and forwards to the command that it runs.
 *
 * <p>Source: signal(7), with the numbers of x86 and ARM.
 */
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

    /** Returns the exit code that a shell reports for a process that this signal ended. */
    public int exitCode() {
        return 128 + number;
    }

    /** Returns true if the signal ends this process while no command runs. */
    public boolean endsWaiting() {
        return endsWaiting;
    }

    /** Returns true if the signal asks the command to end. The grace period then starts. */
    public boolean endsCommand() {
        return endsCommand;
    }
}
