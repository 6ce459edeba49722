package dev.doyen.stores.quorum;

import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.support.SharedKey;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The resources of an open member, which are closed in the reverse order of opening.
 *
 * <p>Threads: one thread opens and closes the member.
 */
final class OpenMember implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.doyen.stores.quorum");

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final QuorumProcess process;

    private OpenMember(QuorumSettings settings, WireSystem system) throws IOException {
        boolean isOpen = false;
        try {
            var directory = add(QuorumDirectory.open(settings.directory()));
            var thread = add(new RaftThread("doyen-quorum-raft"));
            ExecutorService announcer = announcer();
            add(announcer::shutdown);
            var wire = add(TcpWire.listening(
                    settings.self(), settings.listen(), settings.secret().map(OpenMember::key), system));
            var self = new QuorumEndpoint(
                    settings.self().substring(0, settings.self().lastIndexOf(':')), settings.self(), directory.id());
            process = add(new QuorumProcess(
                    settings.members(),
                    new MemberEnvironment(
                            self,
                            directory.journal(),
                            thread,
                            wire,
                            announcer,
                            new Random(new SecureRandom().nextLong()),
                            RaftSettings.COMMITS_PER_SNAPSHOT,
                            RaftSettings.KEPT_ENTRIES)));
            process.start();
            isOpen = true;
        } finally {
            if (!isOpen) {
                close();
            }
        }
    }

    /**
     * Opens a member.
     *
     * @throws StoreUnavailableException if the directory or the address cannot be used; the message is for users
     */
    static OpenMember open(QuorumSettings settings, WireSystem system) {
        try {
            return new OpenMember(settings, system);
        } catch (IOException e) {
            throw new StoreUnavailableException(String.valueOf(e.getMessage()), e);
        }
    }

    QuorumProcess process() {
        return process;
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                LOG.log(Level.WARNING, "a part of this member could not be closed", e);
            }
        }
    }

    private <T extends AutoCloseable> T add(T part) {
        opened.push(part);
        return part;
    }

    /**
     * Returns the key that is derived from a secret. The key depends only on the secret, so all members and clients
     * have the same key, even if they use different addresses.
     */
    static SharedKey key(String secret) {
        return SharedKey.of(secret, "doyen-quorum", "members");
    }

    static ExecutorService announcer() {
        var announcer = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            var thread = new Thread(task, "doyen-quorum-watch");
            thread.setDaemon(true);
            return thread;
        });
        // Start the thread now, because the process may be unable to start a thread later.
        announcer.prestartAllCoreThreads();
        return announcer;
    }
}
