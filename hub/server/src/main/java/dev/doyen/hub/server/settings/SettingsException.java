package dev.doyen.hub.server.settings;

/**
 * Thrown if settings are invalid. If a value has the wrong type or is out of bounds, the message begins with the file
 * and the line.
 */
public final class SettingsException extends Exception {

    private static final long serialVersionUID = 1L;

    public SettingsException(String sentence) {
        super(sentence);
    }
}
