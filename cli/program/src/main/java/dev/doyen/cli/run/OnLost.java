package dev.doyen.cli.run;

/** The reaction of {@code doyen run} to the loss of its leadership while the command runs. */
public enum OnLost {
    /** Stops the command, campaigns again, and restarts the command under the next leadership. */
    RESTART,
    /** Stops the command and ends the run. */
    STOP,
    /** Kills the command without a grace period and ends the run. */
    EXIT
}
