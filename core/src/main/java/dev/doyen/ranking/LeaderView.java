package dev.doyen.ranking;

/** A leader as a member sees it. The key names one connection; the client id is for people. */
public record LeaderView(String key, String clientId, long term) {}
