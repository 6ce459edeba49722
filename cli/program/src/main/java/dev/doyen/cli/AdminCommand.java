package dev.doyen.cli;

import dev.doyen.Control;
import dev.doyen.Election;
import dev.doyen.cli.operator.Sighting;
import dev.doyen.cli.operator.Wish;
import dev.doyen.cli.operator.driver.Onlooker;
import dev.doyen.cli.operator.driver.PatientStore;
import dev.doyen.store.ElectionNames;
import dev.doyen.store.LeaseRecord;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A command that sends an admin command to an election and waits for its effect. */
@Command
abstract class WishCommand extends ElectionCommand {

    /** The exit code if nobody led, so that nothing was asked. */
    static final int EXIT_NOBODY_LED = 3;

    /** The exit code if the effect did not appear in time. */
    static final int EXIT_NOT_YET = 4;

    /** How many ttls to wait by default. A dead leader is replaced within about one; the second is a reserve. */
    private static final int PATIENCE_IN_TTLS = 2;

    /**
     * How many ttls to wait by default for a leader under a session.
     *
     * <p>Such a leader reads its record only every 3 ttls, unless the store announces changes (rule L12.5).
     */
    private static final int PATIENCE_UNDER_SESSION_IN_TTLS = 4;

    private static final Duration PATIENCE_WITHOUT_RECORD = Duration.ofSeconds(20);

    @Option(names = "--by", paramLabel = "WHO", description = "Who asks, as others will see it. Default: user@host")
    private @Nullable String by;

    @Option(
            names = {"-w", "--wait"},
            paramLabel = "TIME",
            converter = SecondsConverter.class,
            description = "Waits so long for what was asked for, such as 30, 0.5 or 2m; 0 does not wait."
                    + " Default: twice the lease's ttl")
    private @Nullable Duration patience;

    WishCommand(Map<String, String> environment, Voice voice) {
        super(environment, voice);
    }

    /** Writes the admin command and returns what was asked. */
    abstract Asked ask(Control control, Sighting before, long nanos);

    /**
     * What was asked, and what to wait for.
     *
     * @param event the event in the JSON output: asked, paused, resumed, or unchanged if there was nothing to ask for
     * @param wish the effect to wait for; empty if there is none
     * @param exitCode the exit code if there is nothing to wait for
     */
    record Asked(String event, String sentence, Optional<Wish> wish, int exitCode) {
        static Asked waiting(String event, String sentence, Wish wish) {
            return new Asked(event, sentence, Optional.of(wish), 0);
        }

        static Asked nothing(String sentence, int exitCode) {
            return new Asked("unchanged", sentence, Optional.empty(), exitCode);
        }

        static Asked nobodyLeads() {
            return nothing("nobody leads, so nothing was asked", EXIT_NOBODY_LED);
        }
    }

    @Override
    void check() {
        super.check();
        ElectionNames.check("--by", by());
    }

    @Override
    final int work(PatientStore opened) throws InterruptedException {
        try (var election = Election.lease(name()).store(opened).open();
                var onlooker = new Onlooker(opened, name())) {
            var before = onlooker.look();
            var asked = ask(election.control(by()), before, System.nanoTime());
            say(asked.event(), asked.sentence(), Optional.empty());
            var wait = patience == null ? usualPatience(before) : patience;
            if (asked.wish().isEmpty() || wait.isZero()) {
                return asked.exitCode();
            }
            var wish = asked.wish().get();
            var outcome = onlooker.follow(wait, wish::seen)
                    .orElseGet(() -> wish.overdue(onlooker.latest(), System.nanoTime(), wait));
            say(outcome.cameAbout() ? "done" : "not-yet", outcome.sentence(), Optional.of(outcome));
            return outcome.cameAbout() ? 0 : EXIT_NOT_YET;
        }
    }

    static Duration usualPatience(Sighting sighting) {
        boolean underSession = sighting.record().flatMap(LeaseRecord::epoch).isPresent();
        return sighting.record().isEmpty()
                ? PATIENCE_WITHOUT_RECORD
                : sighting.ttl().multipliedBy(underSession ? PATIENCE_UNDER_SESSION_IN_TTLS : PATIENCE_IN_TTLS);
    }

    private void say(String event, String sentence, Optional<Wish.Outcome> outcome) {
        if (!json()) {
            print(sentence);
            return;
        }
        print(JsonLine.of(json -> {
            json.writeStringField("time", JsonLine.time(Clock.systemUTC().instant()));
            json.writeStringField("event", event);
            json.writeStringField("election", name());
            json.writeStringField("by", by());
            if (outcome.isPresent() && outcome.get().leader().isPresent()) {
                json.writeStringField("leader", outcome.get().leader().get().id());
                json.writeNumberField("term", outcome.get().leader().get().term());
            } else if (outcome.isPresent()) {
                json.writeNullField("leader");
            }
            json.writeStringField("message", sentence);
        }));
    }

    private String by() {
        return by == null ? System.getProperty("user.name", "somebody") + "@" + HostName.get() : by;
    }
}
