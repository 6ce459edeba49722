package dev.doyen.cli;

import dev.doyen.Control;
import dev.doyen.Election;
import dev.doyen.cli.operator.AdminEffect;
import dev.doyen.cli.operator.ObservedElection;
import dev.doyen.cli.operator.driver.ElectionObserver;
import dev.doyen.cli.operator.driver.TimeLimitedStore;
import dev.doyen.elector.text.Spans;
import dev.doyen.store.LeaseRecord;
import dev.doyen.text.ElectionNames;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The base class of commands that send an admin command and wait for its effect. */
@Command
abstract class AdminCommand extends ElectionCommand {

    /** The exit code if no request was written, because the election had no leader. */
    static final int EXIT_NOBODY_LED = 3;

    /** The exit code if the effect was not observed in time, or if a transfer made another candidate the leader. */
    static final int EXIT_NOT_YET = 4;

    /**
     * The default wait, in ttls. Another candidate replaces a crashed leader within about one ttl. The second ttl is a
     * reserve.
     */
    private static final int WAIT_IN_TTLS = 2;

    /**
     * The default wait for a leader that leads under a session, in ttls.
     *
     * <p>If the store announces changes, such a leader reads its record after each announcement, and about every 3 ttls
     * (rule L12.5). So if an announcement is lost, the leader finds the command within about 3 ttls.
     */
    private static final int WAIT_UNDER_SESSION_IN_TTLS = 4;

    private static final Duration WAIT_WITHOUT_RECORD = Duration.ofSeconds(20);

    @Option(
            names = "--by",
            paramLabel = "WHO",
            description = "Your name in the log and in the lease record. Default: user@host")
    private @Nullable String by;

    @Option(
            names = {"-w", "--wait"},
            paramLabel = "TIME",
            converter = SecondsConverter.class,
            description = "Longest wait for the effect, such as 30 or 0.5 (seconds) or 2m; 0 does not wait. Default:"
                    + " twice the ttl of the lease (four times if the leader uses a session), or 20s if the election"
                    + " has no record")
    private @Nullable Duration maxWait;

    AdminCommand(Map<String, String> environment, LogSetup logSetup) {
        super(environment, logSetup);
    }

    /** Writes the admin command to the store if necessary, and describes the result. */
    abstract Request request(Control control, ObservedElection before, long nanos);

    /**
     * The result of {@link AdminCommand#request}, and the effect to wait for.
     *
     * @param event the event in the JSON output: asked, paused, resumed, or unchanged if the command changed nothing
     * @param effect the effect to wait for; empty if there is none
     * @param exitCode the exit code if there is nothing to wait for
     */
    record Request(String event, String sentence, Optional<AdminEffect> effect, int exitCode) {
        static Request waiting(String event, String sentence, AdminEffect effect) {
            return new Request(event, sentence, Optional.of(effect), 0);
        }

        static Request nothing(String sentence, int exitCode) {
            return new Request("unchanged", sentence, Optional.empty(), exitCode);
        }

        static Request nobodyLeads() {
            return nothing("no candidate leads, so no command was sent", EXIT_NOBODY_LED);
        }
    }

    @Override
    void check() {
        super.check();
        ElectionNames.check("--by", by());
    }

    @Override
    final int work(TimeLimitedStore opened) throws InterruptedException {
        try (var election = Election.lease(name()).store(opened).open();
                var observer = new ElectionObserver(opened, name())) {
            var before = observer.snapshot();
            var request = request(election.control(by()), before, System.nanoTime());
            printEvent(request.event(), request.sentence(), Optional.empty());
            var wait = maxWait == null ? defaultWait(before) : maxWait;
            if (request.effect().isEmpty() || wait.isZero()) {
                return request.exitCode();
            }
            var effect = request.effect().get();
            var outcome = observer.follow(wait, effect::seen)
                    .orElseGet(() -> effect.overdue(observer.latest(), System.nanoTime(), wait));
            printEvent(outcome.achieved() ? "done" : "not-yet", outcome.sentence(), Optional.of(outcome));
            return outcome.achieved() ? 0 : EXIT_NOT_YET;
        }
    }

    static Duration defaultWait(ObservedElection observed) {
        boolean underSession = observed.record().flatMap(LeaseRecord::epoch).isPresent();
        return observed.record().isEmpty()
                ? WAIT_WITHOUT_RECORD
                : observed.ttl().multipliedBy(underSession ? WAIT_UNDER_SESSION_IN_TTLS : WAIT_IN_TTLS);
    }

    private void printEvent(String event, String sentence, Optional<AdminEffect.Outcome> outcome) {
        if (!json()) {
            print(sentence);
            return;
        }
        print(JsonLine.of(json -> {
            json.writeStringField("time", Spans.millis(Clock.systemUTC().instant()));
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
