package dev.doyen.channel.roll;

import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.membership.ViewId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes views out of a channel's members, by the rules P1 to P6 of docs/spec/ring.md, "Over the hub". A view's id says who
 * is in it: two that have installed a view of one id have the same members, whatever the hub told each of them, in which
 * order, and what it left out. The same as {@code roll-call.ts}; docs/spec/vectors/roll holds what both reproduce.
 *
 * <p>Pure: a step takes a state, the time and what happened, and returns the next state and what is to be done. An object is
 * the draft of one step, and lives no longer.
 */
public final class RollCall {

    /** How long a change waits for others that come with it. */
    static final Duration SETTLE = Duration.ofMillis(100);

    /** All members of a channel together say no more than one thing in so long. */
    static final Duration PER_MEMBER = Duration.ofMillis(50);

    /** Who was not heard for so many times as long as it says something is silent. */
    static final int SILENCE = 4;

    /** So many views may share a number. */
    static final int MAX_USED = 32;

    /** Numbers and times above this are not taken: then JavaScript counts on exactly, whatever a member says. */
    public static final long MAX_NUMBER = 1L << 52;

    /** What a step wants done. */
    public sealed interface Effect {}

    /** Install this view. */
    public record Install(View view) implements Effect {}

    /**
     * Tell everybody which view this member has, and whose incarnations are silent; also a sign of life.
     *
     * @param atNanos now, by this member's clock; its echo has to bring that back
     */
    public record Say(ViewId view, List<String> silent, long atNanos) implements Effect {}

    /**
     * What a step came to.
     *
     * @param wakeAtNanos when {@link #tick} is owed, if anything is waited for
     */
    public record Step(RollState next, List<Effect> effects, OptionalLong wakeAtNanos) {}

    private final Member me;
    private final Duration say;
    private final long now;
    private final List<Effect> effects = new ArrayList<>();
    private final Map<String, Entry> entries;
    private boolean connected;
    private boolean synced;
    private Map<String, Optional<Entry>> overlay;
    private long latest;
    private OptionalLong echoSaidAtNanos;
    private Map<Member, Long> heardAtNanos;
    private Set<Member> unheard;
    private Set<Member> silent;

    @Nullable
    private View view;

    private List<String> used;
    private OptionalLong installAtNanos;
    private long sayAtNanos;

    private RollCall(RollState state, long now) {
        this.me = state.me();
        this.say = state.say();
        this.now = now;
        this.connected = state.connected();
        this.synced = state.synced();
        this.entries = new LinkedHashMap<>(state.entries());
        this.overlay = new LinkedHashMap<>(state.overlay());
        this.latest = state.latest();
        this.echoSaidAtNanos = state.echoSaidAtNanos();
        this.heardAtNanos = new LinkedHashMap<>(state.heardAtNanos());
        this.unheard = state.unheard();
        this.silent = state.silent();
        this.view = state.view();
        this.used = state.used();
        this.installAtNanos = state.installAtNanos();
        this.sayAtNanos = state.sayAtNanos();
    }

    /** One step: {@code input} calls one of the methods below. */
    public static Step step(RollState before, long nowNanos, Consumer<RollCall> input) {
        var call = new RollCall(before, nowNanos);
        input.accept(call);
        call.decide();
        return new Step(call.state(), List.copyOf(call.effects), call.wakeAtNanos());
    }

    /** The name of a set of members (P2): half of a SHA-256 over them, as hexadecimal digits. */
    static String nameOf(Collection<Member> members) {
        var text = new StringBuilder();
        new TreeSet<>(members)
                .forEach(member -> text.append(member.id())
                        .append('\0')
                        .append(member.incarnation())
                        .append('\0'));
        return HexFormat.of().formatHex(View.sha256(text.toString()), 0, 16);
    }

    /** The connection is there. */
    public void connected() {
        connected = true;
    }

    /** The connection is lost: nobody is judged until a sync is complete again (P6). */
    public void disconnected() {
        connected = false;
        synced = false;
        installAtNanos = OptionalLong.empty();
    }

    /** The channel is being attached, or is not attached any more. */
    public void syncStarted() {
        synced = false;
        overlay = new LinkedHashMap<>();
        installAtNanos = OptionalLong.empty();
    }

    /** These are all who are present, but for what was heard meanwhile. */
    public void syncComplete(List<Entry> snapshot) {
        entries.clear();
        snapshot.forEach(entry -> entries.put(entry.key(), entry));
        overlay.forEach(
                (key, entry) -> entry.ifPresentOrElse(there -> entries.put(key, there), () -> entries.remove(key)));
        entries.values().forEach(entry -> see(entry.since()));
        overlay = new LinkedHashMap<>();
        synced = true;
        // Nobody could be heard while this member was away, and no echo says that it hears now.
        echoSaidAtNanos = OptionalLong.empty();
        heardAtNanos = new LinkedHashMap<>();
        unheard = without(present(), me);
        silent = Set.of();
    }

    /** An entry came, or changed. */
    public void present(Entry entry) {
        see(entry.since());
        if (synced) {
            entries.put(entry.key(), entry);
        } else {
            overlay.put(entry.key(), Optional.of(entry));
        }
    }

    /** An entry went. {@code since} is the hub's time, or 0 if the SDK only concluded it. */
    public void gone(String key, long since) {
        see(since);
        if (synced) {
            entries.remove(key);
        } else {
            overlay.put(key, Optional.empty());
        }
    }

    /**
     * A member said something, and this is its view, if it has one.
     *
     * @param gone the incarnations that it takes for silent
     * @param saidAtNanos when it said so, by its own clock; not in what is said to one
     */
    public void heard(Member from, Optional<ViewId> said, List<String> gone, OptionalLong saidAtNanos) {
        if (!connected || !synced) {
            return;
        }
        if (from.equals(me) && saidAtNanos.isPresent() && now - saidAtNanos.getAsLong() >= 0) {
            echoSaidAtNanos = saidAtNanos;
        }
        if (heardAtNanos.containsKey(from)) {
            heardAtNanos.put(from, now);
            unheard = without(unheard, from);
            var left = without(silent, from);
            // Whoever comes later has not been here long enough to judge.
            unheard.stream()
                    .filter(member -> gone.contains(member.incarnation()))
                    .forEach(left::add);
            silent = left;
        }
        View mine = view;
        if (mine == null
                || said.isEmpty()
                || !said.get().creator().equals(mine.id().creator())) {
            return;
        }
        long number = said.get().number();
        if (number > mine.id().number() && number <= MAX_NUMBER) {
            adopt(new View(said.get(), mine.members()));
        } else if (number < mine.id().number() && isBefore(mine, from)) {
            sayAtNanos = now;
        }
    }

    /** The moment came that the last step asked for, or any other. */
    public void tick() {}

    private void decide() {
        if (!connected || !synced) {
            return;
        }
        Set<Member> present = present();
        watch(present);
        if (view == null && !present.contains(me)) {
            return;
        }
        var members = new LinkedHashSet<>(present);
        members.removeAll(silent);
        String creator = nameOf(members);
        if (members.isEmpty() || (view != null && view.id().creator().equals(creator))) {
            installAtNanos = OptionalLong.empty();
        } else {
            long at = installAtNanos.orElse(now + SETTLE.toNanos());
            installAtNanos = OptionalLong.of(at);
            if (at - now <= 0 && mayInstall()) {
                install(members, creator);
            }
        }
        say();
    }

    private Set<Member> present() {
        var members = new LinkedHashSet<Member>();
        entries.values().forEach(entry -> entry.member().ifPresent(members::add));
        return members;
    }

    /** P5: who is silent is left out, until it is heard again. */
    private void watch(Set<Member> present) {
        var heard = new LinkedHashMap<Member, Long>();
        present.forEach(member -> heard.put(member, heardAtNanos.getOrDefault(member, now)));
        var left = new LinkedHashSet<>(silent);
        left.retainAll(present);
        long patience = SILENCE * periodNanos();
        heard.forEach((member, at) -> {
            if (!member.equals(me) && now - at >= patience) {
                left.add(member);
            }
        });
        heardAtNanos = heard;
        silent = left;
    }

    /** P5: who is taken for silent may have spoken since. Without a view that it is in, a member says nothing to be heard by itself. */
    private boolean mayInstall() {
        return silent.isEmpty() || view == null || !view.has(me) || hearsItself();
    }

    /** P2, P3: a number that is not below any before, and an id that this member has not had yet. */
    private void install(Set<Member> members, String creator) {
        long last = view == null ? 0 : view.id().number();
        long number = Math.max(Math.max(1, last), latest);
        List<String> before = number > last ? List.of() : used;
        if (before.contains(creator) || before.size() == MAX_USED) {
            adopt(new View(new ViewId(number + 1, creator), members));
            return;
        }
        var all = new ArrayList<>(before);
        all.add(creator);
        use(new View(new ViewId(number, creator), members), all);
    }

    private void adopt(View next) {
        use(next, List.of(next.id().creator()));
    }

    private void use(View next, List<String> names) {
        view = next;
        used = List.copyOf(names);
        installAtNanos = OptionalLong.empty();
        sayAtNanos = now;
        effects.add(new Install(next));
    }

    /** P4. */
    private void say() {
        View mine = view;
        if (mine != null && mine.has(me) && sayAtNanos - now <= 0) {
            sayAtNanos = now + periodNanos();
            Set<Member> told = hearsItself() ? silent : Set.of();
            effects.add(
                    new Say(mine.id(), told.stream().map(Member::incarnation).toList(), now));
        }
    }

    /** A channel has one order: before an echo comes, all has come that was said before this member said that. */
    private boolean hearsItself() {
        return echoSaidAtNanos.isPresent() && now - echoSaidAtNanos.getAsLong() < SILENCE / 2 * periodNanos();
    }

    private boolean isBefore(View mine, Member from) {
        return mine.has(from) && mine.after(from).equals(me) && !from.equals(me);
    }

    /** P4. Who is present and takes no part says nothing, and slows nobody down. */
    private long periodNanos() {
        long taking = entries.values().stream()
                .filter(entry -> entry.member().isPresent())
                .count();
        return Math.max(say.toNanos(), PER_MEMBER.toNanos() * taking);
    }

    private void see(long since) {
        if (since <= MAX_NUMBER) {
            latest = Math.max(latest, since);
        }
    }

    private OptionalLong wakeAtNanos() {
        if (!connected || !synced) {
            return OptionalLong.empty();
        }
        long delay = Long.MAX_VALUE;
        // What is overdue waits for this member's own echo, and not for a time.
        if (installAtNanos.isPresent() && installAtNanos.getAsLong() - now > 0) {
            delay = installAtNanos.getAsLong() - now;
        }
        if (view != null && view.has(me)) {
            delay = Math.min(delay, sayAtNanos - now);
        }
        long patience = SILENCE * periodNanos();
        for (var heard : heardAtNanos.entrySet()) {
            long silentIn = heard.getValue() + patience - now;
            if (!heard.getKey().equals(me) && !silent.contains(heard.getKey())) {
                delay = Math.min(delay, silentIn);
            }
        }
        return delay == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(now + Math.max(0, delay));
    }

    private RollState state() {
        return new RollState(
                me,
                say,
                connected,
                synced,
                entries,
                overlay,
                latest,
                echoSaidAtNanos,
                heardAtNanos,
                unheard,
                silent,
                view,
                used,
                installAtNanos,
                sayAtNanos);
    }

    private static Set<Member> without(Set<Member> members, Member one) {
        var others = new LinkedHashSet<>(members);
        others.remove(one);
        return others;
    }
}
