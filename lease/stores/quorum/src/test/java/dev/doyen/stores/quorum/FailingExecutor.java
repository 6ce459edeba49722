package dev.doyen.stores.quorum;

import java.util.concurrent.Executor;

/** Runs each task at once. Before that, it fails a number of times, as an executor that cannot start a thread does. */
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
