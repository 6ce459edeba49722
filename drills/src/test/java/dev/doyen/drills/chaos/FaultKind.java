package dev.doyen.drills.chaos;

/** A kind of fault: its effect and its victim. */
enum FaultKind {
    /** SIGKILL of the leader. */
    KILL("leader killed (SIGKILL)", true, true),
    /** SIGSTOP of the leader for less than the ttl, then SIGCONT. */
    STOP_SHORT("leader stopped for less than the ttl (SIGSTOP)", false, true),
    /** SIGSTOP of the leader for more than the ttl, then SIGCONT. */
    STOP_LONG("leader stopped for more than the ttl (SIGSTOP)", false, true),
    /** SIGTERM of the leader, which closes its elections. */
    TERMINATE("leader ended (SIGTERM)", true, false),
    /** The leader resigns while its work ignores the interrupt for longer than the ttl. */
    HANG("leader resigns, its work hangs", false, false),
    /** Every store call of the leader's process throws an Error for a while. */
    ERRORS("leader's store calls throw Errors", false, true),
    /** SIGKILL of the store's server, which starts again later. */
    SERVER_KILL("store's server killed", false, true),
    /** SIGSTOP of the store's server, then SIGCONT. */
    SERVER_FREEZE("store's server frozen (SIGSTOP)", false, true);

    private final String text;
    private final boolean endsProcess;
    private final boolean endsSession;

    FaultKind(String text, boolean endsProcess, boolean endsSession) {
        this.text = text;
        this.endsProcess = endsProcess;
        this.endsSession = endsSession;
    }

    /** A few words for the table. */
    String text() {
        return text;
    }

    /** True if a new process has to be started in place of the one that the fault hit. */
    boolean endsProcess() {
        return endsProcess;
    }

    /** True if the fault can end a session that nobody gave back, so that another process has to fence it. */
    boolean endsSession() {
        return endsSession;
    }
}
