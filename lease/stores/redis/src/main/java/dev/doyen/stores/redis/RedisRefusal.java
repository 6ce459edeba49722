package dev.doyen.stores.redis;

import io.lettuce.core.RedisCommandExecutionException;

/** Detects the answers by which Redis rejects requests, because the login or a right of the user is missing. */
final class RedisRefusal {

    private RedisRefusal() {}

    static boolean isOne(Throwable cause) {
        String message = message(cause);
        return cause instanceof RedisCommandExecutionException
                && (isLogin(message)
                        || message.startsWith("NOPERM")
                        // Redis uses these texts if the user lacks a right to a command of the script.
                        || message.contains("ACL failure in script")
                        || message.contains("The user executing the script can't"));
    }

    static String remedy(Throwable cause, RedisSettings settings) {
        return isLogin(message(cause))
                ? "check the user and the password in the URL"
                : "give this user the rights " + commands(settings) + ", on the keys ~" + settings.prefix()
                        + ":* and the channel &" + settings.channel();
    }

    /** Returns the rights to the commands that the store needs, as the rules of an ACL. */
    static String commands(RedisSettings settings) {
        // Lettuce sends HELLO and PING when it connects, and SELECT for another database than 0.
        return "+hmget +hset +publish +subscribe +evalsha +eval +script|load +ping +hello"
                + (settings.database() == 0 ? "" : " +select");
    }

    private static boolean isLogin(String message) {
        return message.startsWith("NOAUTH") || message.startsWith("WRONGPASS");
    }

    private static String message(Throwable cause) {
        return String.valueOf(cause.getMessage());
    }
}
