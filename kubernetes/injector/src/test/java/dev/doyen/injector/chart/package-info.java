@NullMarked
package dev.doyen.injector.chart;

import org.jspecify.annotations.NullMarked;
