package dev.doyen.demo.quorum;

import dev.doyen.demo.quorum.DemoMember.Condition;
import dev.doyen.demo.quorum.MemberReport.Role;
import dev.doyen.event.LossCause;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The state of the demonstration: its members, their leaderships, and the events.
 *
 * <p>For each action, the driver calls a method that records the action, such as {@link #killed}. Each such method
 * returns the sentence that it adds to the events.
 *
 * <p>Times are in milliseconds since the epoch. This class is not thread-safe.
 */
public final class Demonstration {

    public static final int MIN_MEMBERS = 3;
    public static final int MAX_MEMBERS = 7;

    private final boolean canFreeze;
    private final long ttlMillis;
    private final Map<Integer, DemoMember> members = new TreeMap<>();
    private final LeadershipHistory leaderships = new LeadershipHistory();
    private final DemoEvents events = new DemoEvents();
    private Voters voters = Voters.NONE;
    private int lastNumber;
    private long count;
    private long countedMillis;
    private int logLeader;
    private boolean hadMajority;
    private boolean isChanging;

    /**
     * Creates a demonstration without members.
     *
     * @param canFreeze true if this system can suspend and resume processes
     * @param ttlMillis the time after which a silent leader is replaced
     */
    public Demonstration(boolean canFreeze, long ttlMillis) {
        this.canFreeze = canFreeze;
        this.ttlMillis = ttlMillis;
    }

    /** Returns the number for the next new member. No two members of a demonstration have the same number. */
    public int nextNumber() {
        return lastNumber + 1;
    }

    /** Returns the reason against an action; empty if the action is possible now. */
    public Optional<String> objection(Action action, int number) {
        if (action == Action.START) {
            return Optional.empty();
        }
        if (members.isEmpty()) {
            return Optional.of("the members have not been started; start them first");
        }
        if (action == Action.ADD) {
            return objectionToAdding();
        }
        DemoMember member = members.get(number);
        if (member == null) {
            return Optional.of("there is no member " + number);
        }
        if (member.isLeaving()) {
            return Optional.of("member " + number + " is being removed");
        }
        boolean runs = member.condition() == Condition.RUNNING;
        return switch (action) {
            case KILL -> when(member.condition() == Condition.ENDED, number, "has no process; restart it first");
            case RESTART -> when(member.condition() != Condition.ENDED, number, "still has a process; kill it first");
            case FREEZE ->
                canFreeze
                        ? when(!runs, number, "does not run; only a process that runs can be frozen")
                        : Optional.of("this system has no command kill, so no process can be frozen");
            case THAW -> when(member.condition() != Condition.FROZEN, number, "is not frozen");
            case CUT -> when(!runs || member.isCut(), number, "does not run with working connections");
            case RECONNECT -> when(!runs || !member.isCut(), number, "is not cut off or does not run");
            case REMOVE ->
                members.size() > MIN_MEMBERS
                        ? objectionToChange()
                        : Optional.of("the quorum keeps at least " + MIN_MEMBERS + " members; add one first");
            case START, ADD -> Optional.empty();
        };
    }

    private Optional<String> objectionToAdding() {
        return members.size() >= MAX_MEMBERS
                ? Optional.of("the quorum has at most " + MAX_MEMBERS + " members; remove one first")
                : objectionToChange();
    }

    private Optional<String> objectionToChange() {
        if (isChanging) {
            return Optional.of("another change of the members is under way; wait until it is done");
        }
        return voters.hasMajority()
                ? Optional.empty()
                : Optional.of("there is no majority that could confirm the change; restart, thaw or reconnect members"
                        + " first");
    }

    private static Optional<String> when(boolean objects, int number, String why) {
        return objects ? Optional.of("member " + number + " " + why) : Optional.empty();
    }

    /** Returns the id of this member's candidate. */
    public static String idOf(int number) {
        return DemoMember.idOf(number);
    }

    public static String nameOf(int number) {
        return DemoMember.nameOf(number);
    }

    /** Records a new member whose process has just started. */
    public String started(int number, String address, long pid, long now) {
        lastNumber = Math.max(lastNumber, number);
        var member = new DemoMember(number, address, pid);
        members.put(number, member);
        return happened(now, member.name() + " was started as process " + pid + ".");
    }

    public String restarted(int number, long pid, long now) {
        DemoMember member = member(number);
        member.started(pid);
        return happened(
                now, member.name() + " was started again as process " + pid + ", with the log in its directory.");
    }

    public String killed(int number, long now) {
        DemoMember member = member(number);
        return awayNow(
                member, Condition.ENDED, now, member.name() + " was killed: SIGKILL to process " + member.pid() + ".");
    }

    /** Records that a process has ended although no action ended it. */
    public String ended(int number, String why, long now) {
        DemoMember member = member(number);
        return awayNow(member, Condition.ENDED, now, member.name() + " ended by itself: " + why + ".");
    }

    public String frozen(int number, long now) {
        DemoMember member = member(number);
        return awayNow(
                member, Condition.FROZEN, now, member.name() + " was frozen: SIGSTOP to process " + member.pid() + ".");
    }

    public String thawed(int number, long now) {
        DemoMember member = member(number);
        member.is(Condition.RUNNING);
        return happened(now, member.name() + " was thawed: SIGCONT to process " + member.pid() + ".");
    }

    public String cut(int number, long now) {
        DemoMember member = member(number);
        member.cut(true);
        return happened(
                now,
                member.name() + " was cut off: its connections are broken, and its process runs on."
                        + (leads(member) ? " It counts only while it still has confirmations." : ""));
    }

    public String reconnected(int number, long now) {
        DemoMember member = member(number);
        member.cut(false);
        return happened(now, member.name() + " was reconnected, and gets what it has missed.");
    }

    /** Records the start of a change that adds this member. */
    public String adding(int number, long now) {
        isChanging = true;
        return happened(
                now,
                DemoMember.nameOf(number) + " is being added. It gets a copy of the log first, and then it votes.");
    }

    /** Records the start of a change that removes this member. */
    public String removing(int number, long now) {
        isChanging = true;
        member(number).leaving(true);
        return happened(now, member(number).name() + " is being removed: the others confirm that first.");
    }

    /** Records the end or the failure of the change that {@link #adding} or {@link #removing} recorded. */
    public void changed() {
        isChanging = false;
        members.values().forEach(each -> each.leaving(false));
    }

    /** Deletes the member from the demonstration. */
    public String removed(int number, String sentence, long now) {
        members.remove(number);
        leaderships.endOf(number, now);
        return happened(now, sentence);
    }

    /**
     * Records an event that no other method of this class records. Replaces the addresses of members in the sentence
     * with the members' names.
     */
    public void note(String sentence, long now) {
        String named = sentence;
        for (DemoMember each : members.values()) {
            named = named.replace(each.address, "member " + each.number);
        }
        String capital = named.substring(0, 1).toUpperCase(Locale.ROOT) + named.substring(1);
        happened(now, capital.endsWith(".") ? capital : capital + ".");
    }

    /** Records a report that a member's process has sent. */
    public void reported(int number, MemberReport report, long now) {
        DemoMember member = members.get(number);
        if (member == null || member.condition() == Condition.ENDED) {
            return;
        }
        MemberReport before = member.report();
        member.reported(report);
        if (member.condition() == Condition.FROZEN) {
            // Derive no event and no leadership from this report, because the process wrote the report before its
            // suspension.
            return;
        }
        noteLeadership(member, report.candidacy(), now);
        if (before != null) {
            noteLoss(member, before.candidacy(), report.candidacy(), now);
            if (before.raft().role() == Role.LEARNER && report.raft().votes()) {
                happened(now, member.name() + " has the whole log now, and votes.");
            }
        }
        look(now);
    }

    private void noteLeadership(DemoMember member, MemberReport.Candidacy candidacy, long now) {
        if (!candidacy.leads()) {
            leaderships.endOf(member.number, now);
        } else if (leaderships.leads(member.number, candidacy.term(), now)) {
            happened(
                    now,
                    member.name() + " leads in term " + candidacy.term()
                            + (count == 0
                                    ? ", and starts to count."
                                    : String.format(
                                            Locale.ROOT,
                                            ", and counts on from %d, %.1f s after the last number.",
                                            candidacy.count(),
                                            (now - countedMillis) / 1_000.0)));
        }
        if (candidacy.count() > count) {
            count = candidacy.count();
            countedMillis = now;
        }
    }

    private void noteLoss(DemoMember member, MemberReport.Candidacy before, MemberReport.Candidacy present, long now) {
        LossCause lost = present.lost();
        if (lost != null && (before.lost() == null || before.term() != present.term())) {
            happened(now, member.name() + " stopped leading in term " + present.term() + ": " + why(lost) + ".");
        }
    }

    private static String why(LossCause lost) {
        return switch (lost) {
            case EXPIRED -> "its lease was not confirmed in time, so it stopped by its own clock";
            case SUSPENDED -> "it was frozen, and stopped acting when it continued";
            case SUPERSEDED -> "another member leads";
            case RESIGNED, TRANSFERRED, PAUSED, UNHEALTHY, CLOSED -> "it resigned";
        };
    }

    /** Derives the voters, the Raft leader and the majority from the latest reports. */
    private void look(long now) {
        voters = Voters.among(members.values());
        if (voters.size() > 0 && voters.hasMajority() != hadMajority) {
            hadMajority = voters.hasMajority();
            events.add(
                    now,
                    hadMajority
                            ? voters.available() + " of " + voters.size() + " voters take part. That is a majority."
                            : "Only " + voters.available() + " of " + voters.size() + " voters take part, and "
                                    + voters.needed() + " are a majority. Nobody can lead until one is back.");
        }
        voters.logLeader().filter(leader -> leader.number != logLeader).ifPresent(leader -> {
            logLeader = leader.number;
            events.add(now, leader.name() + " leads the log in Raft term " + leader.raftTerm() + ".");
        });
    }

    /** Returns the current state for the page. */
    public PageState state(long now) {
        Collection<DemoMember> all = members.values();
        return new PageState(
                now,
                !members.isEmpty(),
                canFreeze,
                isChanging,
                ttlMillis,
                count,
                leaderships
                        .present()
                        .map(led -> new PageState.Leading(led.member(), led.term()))
                        .orElse(null),
                voters.shown(),
                all.stream().map(each -> MemberView.of(each, all, leads(each))).toList(),
                leaderships.all(),
                events.newestFirst());
    }

    /** Returns the addresses of all members. */
    public List<String> addresses() {
        return members.values().stream().map(each -> each.address).toList();
    }

    public String address(int number) {
        return member(number).address;
    }

    private boolean leads(DemoMember member) {
        return leaderships
                .present()
                .filter(led -> led.member() == member.number)
                .isPresent();
    }

    private String awayNow(DemoMember member, Condition condition, long now, String sentence) {
        boolean led = leads(member);
        member.is(condition);
        leaderships.endOf(member.number, now);
        return happened(
                now,
                sentence
                        + (led
                                ? " It led: another member takes over when its lease has run out, after "
                                        + seconds(ttlMillis) + " s at the latest."
                                : ""));
    }

    private static String seconds(long millis) {
        return millis % 1_000 == 0 ? Long.toString(millis / 1_000) : Double.toString(millis / 1_000.0);
    }

    private String happened(long now, String sentence) {
        events.add(now, sentence);
        look(now);
        return sentence;
    }

    private DemoMember member(int number) {
        DemoMember member = members.get(number);
        if (member == null) {
            throw new IllegalArgumentException("there is no member " + number);
        }
        return member;
    }
}
