package dev.doyen.stores.quorum;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Finds the quorum of a process whose directory is new.
 *
 * <p>The process repeatedly sends a request to every other address in its settings. If a process there belongs to a
 * quorum, the search has found the quorum of this process. If the list has 3, 5 or 7 addresses, all processes answer,
 * and all directories are new, the first process in the list founds a quorum. A process that is not in its own list
 * never founds a quorum.
 *
 * <p>Threads: the thread of {@link RaftTime}.
 */
final class QuorumSearch {

    private static final System.Logger LOG = System.getLogger("dev.doyen.stores.quorum");
    private static final Duration RETRY_INTERVAL = Duration.ofMillis(200);
    private static final Set<Integer> SIZES = Set.of(3, 5, 7);

    private final Supplier<Introduction> self;
    private final List<String> addresses;
    private final UrgentRequests questions;
    private final RaftTime time;
    private final BiConsumer<String, List<QuorumEndpoint>> found;
    private final Map<String, Introduction> introductions = new HashMap<>();
    private boolean isOver;

    /**
     * @param addresses the addresses in the configured list
     * @param found the function that is called once, with the id of the quorum and its founders
     */
    QuorumSearch(
            Supplier<Introduction> self,
            List<String> addresses,
            UrgentRequests questions,
            RaftTime time,
            BiConsumer<String, List<QuorumEndpoint>> found) {
        this.self = self;
        this.addresses = addresses;
        this.questions = questions;
        this.time = time;
        this.found = found;
    }

    /** Returns why a process has not found its quorum yet. */
    static String waiting(String self, List<String> addresses) {
        String all = String.join(", ", addresses);
        if (!addresses.contains(self)) {
            return self + " is not one of the members " + all + ", so it joins their quorum; it waits for one of them";
        }
        return SIZES.contains(addresses.size())
                ? "the quorum does not exist yet: this process waits for all of " + all
                : "a new quorum has 3, 5 or 7 members, but " + addresses.size() + " are named: " + all
                        + "; this process waits for one of them that belongs to a quorum";
    }

    void run(BooleanSupplier isClosed) {
        if (isOver || isClosed.getAsBoolean()) {
            return;
        }
        try {
            sendRequests();
        } finally {
            time.after(RETRY_INTERVAL, () -> run(isClosed));
        }
    }

    private void sendRequests() {
        introductions.put(self.get().self().address(), self.get());
        for (String address : addresses) {
            if (!address.equals(self.get().self().address())) {
                Futures.ignore(questions
                        .send(address, Frames.Request.INTRODUCE, new byte[0])
                        .thenAccept(answered -> introduced(address, answered)));
            }
        }
    }

    private void introduced(String address, Requests.Answered answered) {
        if (isOver || answered.answer() != Frames.Answer.DONE) {
            return;
        }
        var introduction = Introduction.read(answered.body());
        introductions.put(address, introduction);
        if (!introduction.isNew()) {
            end(introduction.group(), introduction.founders());
        } else if (isFounder() && Introduction.canFound(introductions.values(), addresses)) {
            LOG.log(Level.INFO, "this process founds a quorum of " + String.join(", ", addresses));
            end(
                    UUID.randomUUID().toString(),
                    addresses.stream()
                            .map(each -> Objects.requireNonNull(introductions.get(each), "all have answered"))
                            .map(Introduction::self)
                            .toList());
        }
    }

    private boolean isFounder() {
        return addresses.get(0).equals(self.get().self().address()) && SIZES.contains(addresses.size());
    }

    private void end(String group, List<QuorumEndpoint> founders) {
        isOver = true;
        found.accept(group, founders);
    }
}
