@NullMarked
package dev.doyen.injector.certificate;

import org.jspecify.annotations.NullMarked;
