package dev.doyen.stores.quorum;

import java.util.concurrent.Executor;

/** Runs each task at once. The next {@link #failures} calls throw an Error instead. */
final class FailingExecutor implements Executor {

    int failures;

    @Override
    public void execute(Runnable task) {
        if (failures > 0) {
            failures--;
            throw new InternalError("unable to create native thread");
        }
        task.run();
    }
}
