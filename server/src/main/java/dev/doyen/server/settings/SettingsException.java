package dev.doyen.server.settings;

/** A settings file cannot be used; the message is a sentence that begins with the file and, mostly, the line. */
public final class SettingsException extends Exception {

    private static final long serialVersionUID = 1L;

    public SettingsException(String sentence) {
        super(sentence);
    }
}
