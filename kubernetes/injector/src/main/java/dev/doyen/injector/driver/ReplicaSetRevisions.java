package dev.doyen.injector.driver;

import dev.doyen.injector.Revision;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;

/**
 * Reads the revisions of ReplicaSets for the webhook.
 *
 * <p>A failure never prevents an admission. It results in an unknown revision with a warning. The webhook accepts
 * requests of any peer, so this class checks each name before it becomes part of a path.
 *
 * <p>Threads: any. No method blocks.
 */
final class ReplicaSetRevisions {

    /** The limit for one read. An API server waits 5 s for the webhook (chart of the injector). */
    static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** The maximum number of reads at the same time. */
    static final int MAX_READS = WebhookLimits.MAX_CONNECTIONS;

    private static final int OK = 200;

    /** The pattern of a name in Kubernetes, which is a DNS-1123 subdomain. */
    private static final Pattern NAME =
            Pattern.compile("(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private final KubernetesApi api;
    private final Semaphore free = new Semaphore(MAX_READS);

    /** @param api a client whose timeout is at most {@link #TIMEOUT} */
    ReplicaSetRevisions(KubernetesApi api) {
        this.api = api;
    }

    /** Returns the revision. The future never fails. */
    CompletableFuture<Revision> read(String namespace, String replicaSet) {
        if (!NAME.matcher(namespace).matches() || !NAME.matcher(replicaSet).matches()) {
            return unknown("the name of the namespace or of the ReplicaSet is invalid");
        }
        if (!free.tryAcquire()) {
            return unknown("the injector already reads " + MAX_READS + " ReplicaSets");
        }
        CompletableFuture<KubernetesApi.Answer> answer;
        try {
            answer = api.ask("/apis/apps/v1/namespaces/" + namespace + "/replicasets/" + replicaSet);
        } catch (IOException e) {
            free.release();
            return unknown(String.valueOf(e.getMessage()));
        }
        return answer.handle((read, fault) -> {
            free.release();
            return fault == null ? revision(read) : Revision.unknown(cause(fault));
        });
    }

    private static Revision revision(KubernetesApi.Answer answer) {
        try {
            return Revision.of(answer.expect("reading it", OK));
        } catch (KubernetesApi.RejectedException e) {
            return Revision.unknown(String.valueOf(e.getMessage()));
        }
    }

    private static String cause(Throwable fault) {
        Throwable cause = fault.getCause() == null ? fault : fault.getCause();
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    private static CompletableFuture<Revision> unknown(String cause) {
        return CompletableFuture.completedFuture(Revision.unknown(cause));
    }
}
