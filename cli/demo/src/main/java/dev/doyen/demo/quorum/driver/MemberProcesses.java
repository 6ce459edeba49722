package dev.doyen.demo.quorum.driver;

import dev.doyen.demo.quorum.ChildCommand;
import dev.doyen.demo.quorum.ChildLine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * The running processes of the members, and their directory.
 *
 * <p>Threads: one thread owns the processes and calls the listener.
 */
final class MemberProcesses {

    /** The time limit for an answer. Even on a busy machine, a process carries out a command in less time. */
    private static final long ANSWER_SECONDS = 10;

    private final MemberCommand command;
    private final DemoFolder folder;
    private final Executor owner;
    private final Listener listener;
    private final Map<Integer, MemberChild> children = new HashMap<>();
    private final Map<Long, Pending> unanswered = new HashMap<>();
    private long lastCommand;

    private record Pending(int member, CompletableFuture<Void> answer) {}

    /** Receives each report and failure that a process prints, and each end of a process. */
    interface Listener {

        void line(MemberProcesses processes, int number, ChildLine line);

        /**
         * Handles the end of a process. The method is not called for a process that {@link #kill} or {@link #end} has
         * ended.
         */
        void ended(MemberProcesses processes, int number, int exitCode);
    }

    MemberProcesses(MemberCommand command, DemoFolder folder, Executor owner, Listener listener) {
        this.command = command;
        this.folder = folder;
        this.owner = owner;
        this.listener = listener;
    }

    DemoFolder folder() {
        return folder;
    }

    /** Starts the process of a member and returns its process id. */
    long start(MemberArguments arguments) throws IOException {
        int number = arguments.number();
        var made = new CompletableFuture<MemberChild>();
        MemberChild child = MemberChild.start(
                command.commandLine(arguments),
                folder.log(number),
                line -> onOwner(() -> printed(number, made.join(), line)),
                code -> onOwner(() -> ended(number, made.join(), code)));
        made.complete(child);
        children.put(number, child);
        return child.pid();
    }

    /**
     * Sends a command to a member's process.
     *
     * <p>The future completes when the process has carried out the command. The future fails with {@link
     * RefusedActionException} if the process ends before it answers, or does not answer within 10 s.
     */
    CompletableFuture<Void> send(int number, ChildCommand.What what) throws IOException {
        long id = ++lastCommand;
        child(number).send(new ChildCommand(id, what));
        var answer = new CompletableFuture<Void>();
        unanswered.put(id, new Pending(number, answer));
        CompletableFuture.delayedExecutor(ANSWER_SECONDS, TimeUnit.SECONDS, owner)
                .execute(() ->
                        fail(id, "member " + number + " has not answered within " + ANSWER_SECONDS + " s; try again"));
        return answer;
    }

    void signal(int number, String signal) throws IOException, InterruptedException {
        Path kill = command.kill().orElseThrow(() -> new IOException("this system has no command kill"));
        child(number).signal(kill, signal);
    }

    void kill(int number) {
        MemberChild child = children.remove(number);
        if (child != null) {
            child.kill();
            forget(number);
        }
    }

    /** Ends all processes and deletes the directory. Fails all commands that still wait for an answer. */
    void end() {
        List.copyOf(children.keySet()).forEach(this::kill);
        folder.delete();
    }

    private void printed(int number, MemberChild child, ChildLine line) {
        if (children.get(number) != child) {
            return;
        }
        ChildLine.Answer answer = line.answer();
        if (answer == null) {
            listener.line(this, number, line);
            return;
        }
        Pending waiting = unanswered.remove(answer.number());
        if (waiting != null) {
            waiting.answer().complete(null);
        }
    }

    private void ended(int number, MemberChild child, int exitCode) {
        if (children.remove(number, child)) {
            listener.ended(this, number, exitCode);
            forget(number);
        }
    }

    /** Fails all commands that still wait for an answer from this member. */
    private void forget(int number) {
        Map.copyOf(unanswered).forEach((id, pending) -> {
            if (pending.member() == number) {
                fail(id, "member " + number + " ended before it had answered");
            }
        });
    }

    /** Fails a command unless it was answered. */
    private void fail(long id, String sentence) {
        Pending waiting = unanswered.remove(id);
        if (waiting != null) {
            waiting.answer().completeExceptionally(new RefusedActionException(sentence));
        }
    }

    /**
     * Runs a task on the owner's thread and waits for the end of the task.
     *
     * <p>Each reader thread waits here. Therefore at most one line of each process is in the owner's queue.
     */
    private void onOwner(Runnable task) {
        try {
            CompletableFuture.runAsync(task, owner).join();
        } catch (RejectedExecutionException e) {
            // The demonstration has ended.
        }
    }

    private MemberChild child(int number) {
        return Objects.requireNonNull(children.get(number), "member " + number + " has no process");
    }
}
