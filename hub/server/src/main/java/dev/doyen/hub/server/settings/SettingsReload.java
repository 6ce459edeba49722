package dev.doyen.hub.server.settings;

import dev.doyen.elector.reload.ReloadedFiles;
import dev.doyen.hub.auth.HubKey;
import dev.doyen.hub.auth.HubKeys;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Replaces the keys of a running hub when its settings file changes.
 *
 * <p>All other sections apply only after a restart. A changed file that is not valid changes nothing. The class logs
 * each change, and never logs a secret.
 *
 * <p>Threads: any. {@link #open} reads the file on the caller's thread. Later a separate thread reads the file.
 */
public final class SettingsReload implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(SettingsReload.class.getName());

    private final Path file;
    private final ReloadedFiles<String, HubPlan> plans;
    private final HubPlan started;

    /** Combines the content of the file with the settings from other sources. */
    public interface Planner {

        HubPlan plan(HubSettingsFile content) throws SettingsException;
    }

    private SettingsReload(Path file, ReloadedFiles<String, HubPlan> plans) {
        this.file = file;
        this.plans = plans;
        this.started = plans.current();
    }

    /**
     * Reads the file.
     *
     * @param environment the variables that replace {@code ${NAME}}
     * @throws SettingsException if the file cannot be read, or is not valid
     */
    public static SettingsReload open(Path file, Map<String, String> environment, Planner planner)
            throws SettingsException {
        try {
            return new SettingsReload(file, ReloadedFiles.open("keys", new Source(file, environment, planner)));
        } catch (IOException e) {
            throw new SettingsException(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the settings with which the hub starts. */
    public HubPlan plan() {
        return started;
    }

    /** Starts to check the file. {@code changed} replaces the keys, and is called on the thread of this class. */
    public void start(Consumer<HubKeys> changed) {
        start(ReloadedFiles.CHECK_INTERVAL, changed);
    }

    void start(Duration interval, Consumer<HubKeys> changed) {
        plans.start(interval, plan -> {
            changed.accept(HubKeys.ofKeys(plan.keys()));
            LOG.log(
                    Level.INFO,
                    "reloaded " + file + "; the keys are "
                            + String.join(
                                    ", ", plan.keys().stream().map(HubKey::name).toList()));
            Set<String> unapplied = plan.changedSections(started);
            if (!unapplied.isEmpty()) {
                LOG.log(
                        Level.WARNING,
                        file + ": only keys are reloaded; restart the hub to apply the changes of "
                                + String.join(", ", unapplied));
            }
        });
    }

    /** Requests a check of the file now, before the next regular check. The thread of this class checks the file. */
    public void checkNow() {
        plans.checkNow();
    }

    @Override
    public void close() {
        plans.close();
    }

    private record Source(Path file, Map<String, String> environment, Planner planner)
            implements ReloadedFiles.Source<String, HubPlan> {

        @Override
        public String read() throws IOException {
            try {
                return HubSettingsFile.text(file);
            } catch (SettingsException e) {
                throw new IOException(e.getMessage(), e);
            }
        }

        @Override
        public HubPlan parse(String text) throws IOException {
            try {
                HubPlan plan = planner.plan(HubSettingsFile.of(String.valueOf(file.getFileName()), text, environment));
                HubKeys.ofKeys(plan.keys());
                return plan;
            } catch (SettingsException | IllegalArgumentException e) {
                throw new IOException(e.getMessage(), e);
            }
        }
    }
}
