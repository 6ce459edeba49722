package dev.doyen.cli;

import dev.doyen.cli.operator.driver.TimeLimitedStore;
import dev.doyen.store.StoreUnavailableException;
import java.io.PrintWriter;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The base class of operator commands, which open a store and print results. */
@Command(mixinStandardHelpOptions = true, sortOptions = false, footerHeading = "%n")
abstract class StoreCommand extends BaseCommand {

    @Mixin
    private final StoreOptions store;

    private final Map<String, String> environment;
    private final LogSetup logSetup;

    StoreCommand(Map<String, String> environment, LogSetup logSetup) {
        this.environment = environment;
        this.store = new StoreOptions(environment);
        this.logSetup = logSetup;
    }

    /**
     * Runs the command with the open store and returns the exit code.
     *
     * @throws IllegalArgumentException if an argument is invalid
     */
    abstract int work(TimeLimitedStore opened) throws InterruptedException;

    /**
     * Checks the arguments before the store is opened.
     *
     * @throws IllegalArgumentException if an argument is invalid
     */
    abstract void check();

    /** Handles the failure to open the store: returns the exit code, or throws. */
    int cannotOpen(StoreUnavailableException fault) throws CommandFailedException {
        throw unusable(fault);
    }

    @Override
    public final Integer call() throws CommandFailedException, InterruptedException {
        logSetup.configure(store.json());
        try {
            check();
            if (store.url().isEmpty()) {
                throw new IllegalArgumentException("no store is given; add --store URL,"
                        + " such as --store file:/var/lib/doyen, or set DOYEN_STORE");
            }
            TimeLimitedStore opened;
            try {
                opened = TimeLimitedStore.open(store.url());
            } catch (StoreUnavailableException e) {
                return cannotOpen(e);
            }
            try (opened) {
                return work(opened);
            }
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        } catch (StoreUnavailableException e) {
            throw unusable(e);
        }
    }

    final boolean json() {
        return store.json();
    }

    final Map<String, String> environment() {
        return environment;
    }

    /** Prints one line and returns false if the output is closed. */
    final boolean print(String line) {
        PrintWriter out = out();
        out.println(line);
        return !out.checkError();
    }

    private static CommandFailedException unusable(StoreUnavailableException fault) {
        return new CommandFailedException("The store cannot be used: " + fault.getMessage(), fault);
    }
}
