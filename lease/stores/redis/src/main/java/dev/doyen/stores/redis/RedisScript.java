package dev.doyen.stores.redis;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** The compare-and-set as a Lua script, which Redis runs atomically. The store runs the script by its digest. */
final class RedisScript {

    /**
     * The text of the script.
     *
     * <p>KEYS: the key of the lease. ARGV: the expected version (empty if no record is expected), the next version,
     * the text, the channel and the message. The script returns {1} after a write. After a conflict, the script
     * returns {0, version, text}, with empty strings for absent values.
     *
     * <p>The script ignores a failed PUBLISH, because the write has already succeeded. Other candidates then detect the
     * change at their next read.
     */
    static final String TEXT = """
            local held = redis.call('HMGET', KEYS[1], 'version', 'text')
            if (held[1] or '') ~= ARGV[1] then
              return {0, held[1] or '', held[2] or ''}
            end
            redis.call('HSET', KEYS[1], 'version', ARGV[2], 'text', ARGV[3])
            redis.pcall('PUBLISH', ARGV[4], ARGV[5])
            return {1}
            """;

    private final RedisAsyncCommands<String, String> redis;
    private final String digest;

    RedisScript(RedisAsyncCommands<String, String> redis) {
        this.redis = redis;
        this.digest = redis.digest(TEXT);
    }

    /**
     * Runs the script by its digest. If the server does not have the script, the method then sends the text of the
     * script.
     *
     * <p>The second request repeats no write, because the server did not have the script and therefore wrote nothing
     * at the first request.
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
