package dev.doyen.stores.redis;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** The compare-and-set as a Lua script, which Redis runs atomically. The store calls it by its digest. */
final class RedisScript {

    /**
     * The script.
     *
     * <p>KEYS: the lease. ARGV: the expected version (empty for none), the next version, the text, the channel and the
     * message. It returns {1}, or {0, version, text}, with empty strings for what does not exist.
     */
    static final String TEXT = """
            local held = redis.call('HMGET', KEYS[1], 'version', 'text')
            if (held[1] or '') ~= ARGV[1] then
              return {0, held[1] or '', held[2] or ''}
            end
            redis.call('HSET', KEYS[1], 'version', ARGV[2], 'text', ARGV[3])
            redis.call('PUBLISH', ARGV[4], ARGV[5])
            return {1}
            """;

    private final RedisAsyncCommands<String, String> redis;
    private final String digest;

    RedisScript(RedisAsyncCommands<String, String> redis) {
        this.redis = redis;
        this.digest = redis.digest(TEXT);
    }

    /**
     * Runs the script by its digest, and sends its text if the server does not know it.
     *
     * <p>This repeats nothing, because a server without the script has not run it.
     */
    CompletableFuture<List<Object>> run(String key, String... arguments) {
        String[] keys = {key};
        return redis.<List<Object>>evalsha(digest, ScriptOutputType.MULTI, keys, arguments)
                .toCompletableFuture()
                .exceptionallyCompose(error -> isUnknownScript(error)
                        ? redis.<List<Object>>eval(TEXT, ScriptOutputType.MULTI, keys, arguments)
                        : CompletableFuture.<List<Object>>failedFuture(error));
    }

    private static boolean isUnknownScript(Throwable error) {
        return (error instanceof CompletionException && error.getCause() != null ? error.getCause() : error)
                instanceof RedisNoScriptException;
    }
}
