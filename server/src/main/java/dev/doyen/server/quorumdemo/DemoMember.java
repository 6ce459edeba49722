package dev.doyen.server.quorumdemo;

import dev.doyen.server.quorumdemo.MemberReport.Role;
import org.jspecify.annotations.Nullable;

/** One member as the demonstration knows it. Not safe for several threads. */
final class DemoMember {

    /** The state of its process. */
    enum Condition {
        /** The process was started and has not reported yet. */
        STARTING,
        RUNNING,
        FROZEN,
        /** There is no process. The directory is still there. */
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

    /** The id of its candidate. */
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

    /** The last report of its present or last process. */
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

    /** Whether its process can take part: it runs, and its connections work. */
    boolean isAvailable() {
        return condition == Condition.RUNNING
                && !isCut
                && report != null
                && report.raft().role() != Role.WAITING;
    }

    /** The index up to which it knows that the log is confirmed; -1 before the first report. */
    long committed() {
        return report == null ? -1 : report.raft().committed();
    }

    /** -1 before the first report. */
    long raftTerm() {
        return report == null ? -1 : report.raft().term();
    }

    Role role() {
        return report == null ? Role.WAITING : report.raft().role();
    }
}
