package dev.doyen.injector.controller;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/** A service account whose pods take part in elections. */
public record Account(String namespace, String name) {

    private static final int MAX_NAME = 63;
    private static final int HASH = 8;

    /**
     * Returns the name of the account's RoleBinding. Naiserator computes the same name. So the injector and naiserator
     * use the same RoleBinding.
     */
    public String bindingName() {
        var whole = "elector-" + name;
        var crc = new CRC32();
        crc.update(whole.getBytes(StandardCharsets.UTF_8));
        int cut = Math.min(whole.length(), MAX_NAME - HASH - 1);
        return whole.substring(0, cut) + "-" + String.format("%08x", crc.getValue());
    }
}
