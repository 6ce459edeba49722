package dev.doyen.hub.server.settings;

/** Thrown if settings are invalid. If one value is at fault, the message begins with the file and the line. */
public final class SettingsException extends Exception {

    private static final long serialVersionUID = 1L;

    public SettingsException(String sentence) {
        super(sentence);
    }
}
