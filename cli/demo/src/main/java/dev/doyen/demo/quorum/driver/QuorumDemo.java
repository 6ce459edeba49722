package dev.doyen.demo.quorum.driver;

import dev.doyen.demo.quorum.Action;
import dev.doyen.demo.quorum.ChildCommand.What;
import dev.doyen.demo.quorum.ChildLine;
import dev.doyen.demo.quorum.Demonstration;
import dev.doyen.demo.quorum.JsonLines;
import dev.doyen.elector.console.ConsoleContent;
import dev.doyen.elector.http.Audience;
import dev.doyen.log.FaultLog;
import dev.doyen.process.SearchPath;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A quorum whose member processes a visitor of the page can kill, suspend and disconnect.
 *
 * <p>No member process runs before the first {@link Action#START}.
 *
 * <p>Threads: one thread begins all actions and starts the processes. Another thread adds and removes members of the
 * quorum. The methods may be called on any thread.
 */
public final class QuorumDemo implements ConsoleContent<Audience>, AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.doyen");

    /** The time limit for the end of all processes, in seconds. */
    private static final long CLOSE_SECONDS = 20;

    private final FaultLog faults = new FaultLog(LOG);
    private final SearchPath path;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(QuorumDemo::daemon);
    private final MemberChanges changes = new MemberChanges();
    private final MemberProcesses.Listener lines = new Lines();

    /** The state of the demonstration. Only the thread of this object uses this field. */
    private Demonstration demonstration;

    /**
     * The member processes; null before the members are started and after the demonstration has ended.
     *
     * <p>Only the thread of this object uses this field.
     */
    private @Nullable MemberProcesses processes;

    /**
     * Creates the demonstration without processes.
     *
     * @param path the directories that contain the system's commands
     */
    public QuorumDemo(SearchPath path) {
        this.path = path;
        this.demonstration = fresh();
    }

    /**
     * Carries out a short action, or begins a long action.
     *
     * @param number the number of the member; ignored by actions that concern no member
     * @return a future with a sentence that describes the action; the future fails with {@link RefusedActionException}
     *     if the action is rejected, fails, or is not confirmed in time
     */
    public CompletableFuture<String> carryOut(Action action, int number) {
        try {
            return CompletableFuture.supplyAsync(() -> begin(action, number), thread)
                    .thenCompose(begun -> begun);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(new RefusedActionException("the demonstration has ended"));
        }
    }

    /** Starts the members as {@link Action#START} does. The method returns at once and logs a failure. */
    public void start() {
        carryOut(Action.START, 0).whenComplete((sentence, failure) -> {
            if (failure != null) {
                LOG.log(Level.ERROR, "the members of the quorum demonstration could not be started: " + failure);
            }
        });
    }

    @Override
    public void look(Consumer<Function<Audience, String>> observer) {
        try {
            thread.execute(() -> faults.survives("the page of the quorum", () -> {
                var state = JsonLines.write(demonstration.state(System.currentTimeMillis()));
                observer.accept(audience -> state);
            }));
        } catch (RejectedExecutionException e) {
            // The demonstration and its event streams have ended.
        }
    }

    /** Ends all processes and deletes their directory. The method waits at most 20 s until this is done. */
    @Override
    public void close() {
        try {
            thread.execute(this::end);
        } catch (RejectedExecutionException e) {
            return;
        }
        changes.close();
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.log(Level.WARNING, "processes of the quorum demonstration may be left");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private CompletableFuture<String> begin(Action action, int number) {
        var objection = demonstration.objection(action, number);
        if (objection.isPresent()) {
            return CompletableFuture.failedFuture(new RefusedActionException(objection.get()));
        }
        try {
            return switch (action) {
                case START -> done(startAll());
                case KILL -> done(kill(number));
                case RESTART -> done(restart(number));
                case FREEZE -> done(signal(number, "STOP"));
                case THAW -> done(signal(number, "CONT"));
                case CUT -> switchConnections(number, What.DISCONNECT);
                case RECONNECT -> switchConnections(number, What.RECONNECT);
                case ADD -> done(add());
                case REMOVE -> done(remove(number));
            };
        } catch (IOException e) {
            LOG.log(Level.WARNING, "an action of the quorum demonstration failed: " + action, e);
            return CompletableFuture.failedFuture(
                    new RefusedActionException("this system refused it: " + e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CompletableFuture.failedFuture(new RefusedActionException("the demonstration ends"));
        }
    }

    private String startAll() throws IOException {
        end();
        demonstration = fresh();
        var started = new MemberProcesses(MemberCommand.find(path), DemoFolder.create(), thread, lines);
        processes = started;
        List<String> addresses = LoopbackPorts.find(Demonstration.MIN_MEMBERS, List.of());
        for (String address : addresses) {
            int number = demonstration.nextNumber();
            long pid = started.start(new MemberArguments(number, address, addresses, started.folder()));
            demonstration.started(number, address, pid, now());
        }
        return addresses.size() + " members were started. They found a quorum, and then one of them is elected.";
    }

    private String kill(int number) {
        processes().kill(number);
        return demonstration.killed(number, now());
    }

    private String restart(int number) throws IOException {
        long pid = processes()
                .start(new MemberArguments(
                        number,
                        demonstration.address(number),
                        demonstration.addresses(),
                        processes().folder()));
        return demonstration.restarted(number, pid, now());
    }

    private String signal(int number, String signal) throws IOException, InterruptedException {
        processes().signal(number, signal);
        return signal.equals("STOP") ? demonstration.frozen(number, now()) : demonstration.thawed(number, now());
    }

    private CompletableFuture<String> switchConnections(int number, What what) throws IOException {
        Demonstration present = demonstration;
        return processes()
                .send(number, what)
                .thenApplyAsync(
                        switched -> what == What.DISCONNECT
                                ? present.cut(number, now())
                                : present.reconnected(number, now()),
                        thread);
    }

    /** Starts a new member's process, and asks the quorum to add this member. */
    private String add() throws IOException {
        MemberProcesses present = processes();
        int number = demonstration.nextNumber();
        List<String> members = demonstration.addresses();
        String address = LoopbackPorts.find(1, members).get(0);
        long pid = present.start(new MemberArguments(number, address, members, present.folder()));
        String sentence = demonstration.adding(number, now());
        demonstration.started(number, address, pid, now());
        change(present, members, (admin, progress) -> admin.add(address, progress), failure -> {
            if (failure.isPresent()) {
                endMember(present, number, "was not added: " + failure.get());
            }
        });
        return sentence;
    }

    /** Asks the quorum to remove the member, and then ends the member's process. */
    private String remove(int number) {
        MemberProcesses present = processes();
        String address = demonstration.address(number);
        String sentence = demonstration.removing(number, now());
        change(present, demonstration.addresses(), (admin, progress) -> admin.remove(address, progress), failure -> {
            if (failure.isPresent()) {
                demonstration.note(Demonstration.nameOf(number) + " was not removed: " + failure.get() + ".", now());
            } else {
                endMember(present, number, "was removed from the quorum, and its process was ended");
            }
        });
        return sentence;
    }

    private void endMember(MemberProcesses present, int number, String what) {
        present.kill(number);
        present.folder().deleteMember(number);
        demonstration.removed(number, Demonstration.nameOf(number) + " " + what + ".", now());
    }

    /**
     * Begins a change of the members. After the change, {@code onEnd} runs on the thread of this object and receives
     * the failure if the change failed. If {@link Action#START} has replaced these members, {@code onEnd} does not run.
     */
    private void change(
            MemberProcesses present,
            List<String> members,
            MemberChanges.Change change,
            Consumer<Optional<String>> onEnd) {
        String secret = present.folder().secret();
        changes.carryOut(members, secret, change, step -> onThread(present, () -> demonstration.note(step, now())))
                .whenComplete((done, failure) -> onThread(present, () -> {
                    demonstration.changed();
                    if (done != null) {
                        demonstration.note(done, now());
                    }
                    onEnd.accept(Optional.ofNullable(failure).map(QuorumDemo::sentence));
                }));
    }

    /** Runs the task on the thread of this object, unless {@link Action#START} has replaced these members. */
    private void onThread(MemberProcesses present, Runnable task) {
        try {
            thread.execute(() -> {
                if (present == processes) {
                    task.run();
                }
            });
        } catch (RejectedExecutionException e) {
            // The demonstration has ended.
        }
    }

    private static String sentence(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return String.valueOf(cause.getMessage());
    }

    private Demonstration fresh() {
        return new Demonstration(path.find("kill").isPresent(), MemberProgram.TTL.toMillis());
    }

    private void end() {
        if (processes != null) {
            processes.end();
            processes = null;
        }
    }

    /** Returns the member processes, which exist while the demonstration has members. */
    private MemberProcesses processes() {
        return Objects.requireNonNull(processes, "the members are not started");
    }

    private static CompletableFuture<String> done(String sentence) {
        return CompletableFuture.completedFuture(sentence);
    }

    private static long now() {
        return System.currentTimeMillis();
    }

    private static Thread daemon(Runnable work) {
        var thread = new Thread(work, "doyen-quorum-demo");
        thread.setDaemon(true);
        return thread;
    }

    /** Handles the lines of the current processes, and ignores the lines of replaced processes. */
    private final class Lines implements MemberProcesses.Listener {

        @Override
        public void line(MemberProcesses from, int number, ChildLine line) {
            if (from == processes && line.report() != null) {
                demonstration.reported(number, line.report(), now());
            } else if (from == processes && line.failure() != null) {
                demonstration.note(Demonstration.nameOf(number) + " cannot take part: " + line.failure() + ".", now());
            }
        }

        @Override
        public void ended(MemberProcesses from, int number, int exitCode) {
            if (from == processes) {
                demonstration.ended(number, why(exitCode, from.folder().lastLine(number)), now());
            }
        }
    }

    private String why(int exitCode, String lastLine) {
        return "exit code " + exitCode + (lastLine.isEmpty() ? "" : "; its log ends with: " + lastLine);
    }
}
