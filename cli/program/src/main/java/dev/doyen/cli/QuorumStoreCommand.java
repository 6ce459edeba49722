package dev.doyen.cli;

import dev.doyen.elector.text.Spans;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.stores.quorum.MemberChangeRefusedException;
import dev.doyen.stores.quorum.QuorumAdmin;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that sends requests to the members of a quorum store. */
@Command(mixinStandardHelpOptions = true, sortOptions = false, footerHeading = "%n")
abstract class QuorumStoreCommand extends BaseCommand {

    private static final String SCHEME = "quorum://";
    private static final Duration LONGEST = Duration.ofHours(1);

    @Mixin
    private final StoreOptions store;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            converter = SecondsConverter.class,
            description = "Longest wait for the result, at most 60m, such as 30 or 0.5 (seconds) or 2m. Default: 60s")
    private Duration timeout = Duration.ofSeconds(60);

    private final LogSetup logSetup;

    QuorumStoreCommand(Map<String, String> environment, LogSetup logSetup) {
        this.store = new StoreOptions(environment);
        this.logSetup = logSetup;
    }

    /**
     * Sends the requests of this command.
     *
     * @throws IllegalArgumentException if an argument is invalid; the message describes the argument
     */
    abstract void work(QuorumAdmin admin) throws InterruptedException;

    @Override
    public final Integer call() throws CommandFailedException, InterruptedException {
        logSetup.configure(store.json());
        try (QuorumAdmin admin = QuorumAdmin.connect(url(store), checkedTimeout())) {
            work(admin);
            return 0;
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        } catch (MemberChangeRefusedException e) {
            err().println("doyen: The quorum rejects the change: " + e.getMessage());
            return QuorumCommand.EXIT_REFUSED;
        } catch (StoreUnavailableException e) {
            throw new CommandFailedException("The command failed: " + e.getMessage(), e);
        }
    }

    final boolean json() {
        return store.json();
    }

    /** Prints a step or the result of the command. */
    final void report(String event, String sentence) {
        out().println(
                        json()
                                ? JsonLine.of(json -> {
                                    json.writeStringField("event", event);
                                    json.writeStringField("message", sentence);
                                })
                                : sentence);
        out().flush();
    }

    final void step(String sentence) {
        report("step", sentence);
    }

    /** Returns the URL of the store, which must be a quorum store. */
    static String url(StoreOptions store) {
        if (store.url().isEmpty()) {
            throw new IllegalArgumentException("no store is given; add --store URL, such as --store " + SCHEME
                    + "a:7800,b:7800,c:7800, or set DOYEN_STORE");
        }
        if (!store.url().startsWith(SCHEME)) {
            throw new IllegalArgumentException("the store is not a quorum; its URL must begin with " + SCHEME
                    + ", such as " + SCHEME + "a:7800,b:7800,c:7800");
        }
        return store.url();
    }

    private Duration checkedTimeout() {
        if (timeout.isZero() || timeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("--timeout is " + Spans.text(timeout)
                    + "; it must be more than 0 and at most " + Spans.text(LONGEST));
        }
        return timeout;
    }
}
