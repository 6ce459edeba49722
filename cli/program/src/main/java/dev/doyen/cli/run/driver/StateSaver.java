package dev.doyen.cli.run.driver;

import dev.doyen.LeaseLeadership;
import dev.doyen.cli.run.Notice;
import dev.doyen.election.NotLeaderException;
import dev.doyen.event.SavedState;
import dev.doyen.log.FaultLog;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Saves the content of a command's state file under the leadership.
 *
 * <p>If a save fails, the next save repeats it.
 *
 * <p>Threads: one thread calls the methods. Another thread waits for the saves.
 */
final class StateSaver implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.doyen");

    private final String election;
    private final Consumer<Notice> notices;
    private final ExecutorService thread;
    private final FaultLog faults = new FaultLog(LOG);
    private final AtomicBoolean saving = new AtomicBoolean();

    /** True from the request of a save until its success. */
    private final AtomicBoolean unsaved = new AtomicBoolean();

    StateSaver(String election, Consumer<Notice> notices) {
        this(election, notices, Thread::new);
    }

    /**
     * Creates the saver for a test.
     *
     * @param factory the factory of the thread that waits for the saves
     */
    StateSaver(String election, Consumer<Notice> notices, ThreadFactory factory) {
        this.election = election;
        this.notices = notices;
        this.thread = Executors.newSingleThreadExecutor(task -> {
            var made = factory.newThread(task);
            made.setName("doyen-save");
            made.setDaemon(true);
            return made;
        });
    }

    boolean isSaving() {
        return saving.get();
    }

    /** Saves a state that has stopped changing. */
    void saveSettled(StateFile file, LeaseLeadership leadership) {
        save(file, leadership, StateFile::settled, () -> {});
    }

    /**
     * Saves the final state of the command and then runs {@code done}. The save and {@code done} can run on another
     * thread.
     */
    void saveLast(StateFile file, LeaseLeadership leadership, Runnable done) {
        save(file, leadership, StateFile::left, done);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    private void save(StateFile file, LeaseLeadership leadership, Reading reading, Runnable done) {
        if (unsaved.getAndSet(false)) {
            file.repeat();
        }
        Optional<SavedState> changed = Optional.empty();
        try {
            changed = reading.of(file);
        } catch (IOException e) {
            notices.accept(Notice.loud(
                    "state-not-saved",
                    "the state file cannot be read (" + e.getMessage() + "); the state saved before is kept"));
        } catch (StateFile.TooLargeException e) {
            notices.accept(Notice.loud("state-not-saved", String.valueOf(e.getMessage())));
        }
        if (changed.isEmpty() && !saving.get()) {
            done.run();
            return;
        }
        var state = changed;
        saving.set(true);
        if (state.isPresent()) {
            unsaved.set(true);
        }
        boolean accepted = faults.survives(
                "starting a thread that saves", () -> thread.execute(() -> saveNow(leadership, state, done)));
        if (!accepted) {
            saving.set(false);
            done.run();
        }
    }

    private void saveNow(LeaseLeadership leadership, Optional<SavedState> state, Runnable done) {
        try {
            if (state.isPresent()) {
                unsaved.set(true);
                leadership.save(state.get());
                unsaved.set(false);
            }
        } catch (NotLeaderException e) {
            LOG.log(Level.WARNING, "election=" + election + " the state was not saved: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            faults.report("election=" + election + " saving the state", e);
        } finally {
            saving.set(false);
            done.run();
        }
    }

    /** A function that reads the state file. */
    private interface Reading {
        Optional<SavedState> of(StateFile file) throws IOException, StateFile.TooLargeException;
    }
}
