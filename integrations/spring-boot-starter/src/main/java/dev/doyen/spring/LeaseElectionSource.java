package dev.doyen.spring;

import dev.doyen.Election;
import dev.doyen.Elections;
import dev.doyen.LeaseSettings;
import dev.doyen.election.Priority;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A source of elections by lease. All these elections are in one store, which the first election opens. */
final class LeaseElectionSource implements ElectionSource {

    private final Supplier<StoreAnswers> store;
    private final DoyenProperties.Session session;
    private final String process;
    private final long generation;
    private final Function<String, BooleanSupplier> healthBeans;
    private final Map<ElectionSettings, Elections> sessions = new HashMap<>();
    private volatile @Nullable StoreAnswers opened;

    /**
     * @param store the supplier that opens the store; this class closes the opened store
     * @param generation the generation of this application's candidates (rule M8)
     * @param healthBeans the function that finds the bean whose name is the setting {@code
     *     doyen.elections.NAME.health.bean}
     */
    LeaseElectionSource(
            Supplier<StoreAnswers> store,
            DoyenProperties.Session session,
            String process,
            long generation,
            Function<String, BooleanSupplier> healthBeans) {
        this.store = store;
        this.session = session;
        this.process = process;
        this.generation = generation;
        this.healthBeans = healthBeans;
    }

    @Override
    public synchronized Election open(String name, ElectionSettings settings) {
        if (session == DoyenProperties.Session.OWN) {
            return Refusals.under(
                    "doyen.elections." + name,
                    () -> set(Election.lease(name), name, settings).open());
        }
        return sessions.computeIfAbsent(
                        settings.withoutStart(),
                        each -> Refusals.under(
                                "doyen.elections." + name,
                                () -> set(Elections.lease().process(process), name, each)
                                        .open()))
                .named(name);
    }

    @Override
    public Optional<Duration> silentFor() {
        StoreAnswers answers = opened;
        return answers == null ? Optional.empty() : answers.silentFor();
    }

    @Override
    public synchronized void close() {
        sessions.values().forEach(Elections::close);
        sessions.clear();
        StoreAnswers closing = opened;
        if (closing != null) {
            closing.close();
            opened = null;
        }
    }

    private <B extends LeaseSettings<B>> B set(B builder, String name, ElectionSettings settings) {
        B set = builder.store(store())
                .timing(settings.timing())
                .priority(new Priority(settings.priority(), settings.returns(), generation))
                .fencing(settings.fencing())
                // The context closes the elections in its own order.
                .closeOnShutdown(false);
        ElectionSettings.Health health = settings.health();
        String bean = health.bean();
        if (bean == null) {
            return set;
        }
        BooleanSupplier check =
                Refusals.under("doyen.elections." + name + ".health.bean", () -> healthBeans.apply(bean));
        return set.health(health.calling(check));
    }

    private StoreAnswers store() {
        StoreAnswers there = opened;
        if (there == null) {
            there = store.get();
            opened = there;
        }
        return there;
    }
}
