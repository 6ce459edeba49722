package dev.doyen.demo.quorum;

import dev.doyen.demo.quorum.MemberReport.Role;
import org.jspecify.annotations.Nullable;

/** The state of one member in the demonstration. This class is not thread-safe. */
final class DemoMember {

    /** The state of the member's process. */
    enum Condition {
        /** The process has started and has not reported yet. */
        STARTING,
        RUNNING,
        FROZEN,
        /** The process has ended. Its directory still exists. */
        ENDED
    }

    final int number;
    final String address;
    private long pid;
    private Condition condition = Condition.STARTING;
    private boolean isCut;
    private boolean isLeaving;
    private @Nullable MemberReport report;

    DemoMember(int number, String address, long pid) {
        this.number = number;
        this.address = address;
        this.pid = pid;
    }

    /** Returns the id of the member's candidate. */
    String id() {
        return idOf(number);
    }

    static String idOf(int number) {
        return "member-" + number;
    }

    String name() {
        return nameOf(number);
    }

    static String nameOf(int number) {
        return "Member " + number;
    }

    long pid() {
        return pid;
    }

    Condition condition() {
        return condition;
    }

    boolean isCut() {
        return isCut;
    }

    boolean isLeaving() {
        return isLeaving;
    }

    /** Returns the last report of the member's process; null before its first report. */
    @Nullable
    MemberReport report() {
        return report;
    }

    void started(long newPid) {
        pid = newPid;
        condition = Condition.STARTING;
        isCut = false;
        report = null;
    }

    void reported(MemberReport next) {
        report = next;
        if (condition == Condition.STARTING) {
            condition = Condition.RUNNING;
        }
    }

    void is(Condition next) {
        condition = next;
    }

    void cut(boolean next) {
        isCut = next;
    }

    void leaving(boolean next) {
        isLeaving = next;
    }

    /** Returns true if the member's process runs, is not cut off, and has found the other members. */
    boolean isAvailable() {
        return condition == Condition.RUNNING
                && !isCut
                && report != null
                && report.raft().role() != Role.WAITING;
    }

    /** Returns the last commit index that the member reported; -1 before the first report. */
    long committed() {
        return report == null ? -1 : report.raft().committed();
    }

    /** Returns the member's Raft term; -1 before the first report. */
    long raftTerm() {
        return report == null ? -1 : report.raft().term();
    }

    Role role() {
        return report == null ? Role.WAITING : report.raft().role();
    }
}
