package dev.doyen.hub.auth;

/**
 * The internal names of the channels of sandbox apps.
 *
 * <p>Each app of a sandbox has its own channels. The internal name of an app's channel is {@code ,APP:NAME}. No client
 * can send such a name, because the name of a channel never begins with a comma. The internal name of the hub's own
 * channels is the name that the clients use.
 */
public final class AppChannels {

    /** The app of the hub's own keys and channels. */
    public static final String NONE = "";

    private static final String MARK = ",";
    private static final char END = ':';

    private AppChannels() {}

    /** Returns the internal name of a channel of this app. */
    public static String internalName(String app, String name) {
        return app.isEmpty() ? name : MARK + app + END + name;
    }

    /** Returns the app of a channel, or {@link #NONE} for any other text. */
    public static String appOf(String internalName) {
        int end = end(internalName);
        return end < 0 ? NONE : internalName.substring(MARK.length(), end);
    }

    /** Returns the name that the clients of a channel use. */
    public static String nameOf(String internalName) {
        return internalName.substring(end(internalName) + 1);
    }

    /** Returns the index at which the prefix of an app's channel ends; -1 for any other text. */
    private static int end(String internalName) {
        return internalName.startsWith(MARK) ? internalName.indexOf(END) : -1;
    }
}
