package dev.doyen.spring;

import org.springframework.context.SmartLifecycle;

/** A bean of the given phase that runs from its start to its stop. */
class Stopping implements SmartLifecycle {

    private final int phase;
    private final Runnable stopped;
    private volatile boolean running;

    /** @param stopped the action that runs when the bean is stopped */
    Stopping(int phase, Runnable stopped) {
        this.phase = phase;
        this.stopped = stopped;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        stopped.run();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return phase;
    }
}
