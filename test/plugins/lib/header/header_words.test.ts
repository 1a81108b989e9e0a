import { describe, expect, it } from 'vitest';
import { isLevelName, isLevelWord, kindOf, topicsAt } from '../../../../plugins/lib/header/header_words.ts';

type Flag = 'isCapitals' | 'isNumber' | 'isHexadecimal' | 'isSource' | 'isName' | 'isModule' | 'isThread' | 'isMark';
const FLAGS: readonly Flag[] = ['isCapitals', 'isNumber', 'isHexadecimal', 'isSource', 'isName', 'isModule', 'isThread', 'isMark'];

describe('kindOf', () => {
  it.each<[word: string, flags: Flag[], severity: number, process: number]>([
    ['', [], -1, -1],
    ['INFO', ['isCapitals', 'isName', 'isModule'], 6, -1],
    ['warn', ['isName'], 4, -1],
    ['http', ['isName'], -1, -1],
    ['4123', ['isNumber', 'isThread'], -1, 4123],
    ['#4123', ['isNumber', 'isThread'], -1, 4123],
    ['pid 4123', ['isThread'], -1, 4123],
    ['0a1b2c3d', ['isHexadecimal', 'isThread'], -1, -1],
    ['main.go:12', ['isSource', 'isName', 'isModule', 'isThread'], -1, -1],
    ['Shop.java(7)', ['isSource'], -1, -1],
    ['org.example.Shop', ['isName', 'isModule'], -1, -1],
    ['std::io', ['isName', 'isModule'], -1, -1],
    ['web-1', ['isName', 'isModule', 'isThread'], -1, -1],
    ['main', ['isName', 'isThread'], -1, -1],
    ['http-nio-8080-exec-1', ['isName', 'isModule', 'isThread'], -1, -1],
    ['**', ['isMark'], -1, -1],
    ['till', ['isName'], -1, -1],
  ])('%j', (word, flags, severity, process) => {
    const kind = kindOf(word);
    expect(FLAGS.filter((flag) => kind[flag])).toEqual(flags);
    expect([kind.severity, kind.process]).toEqual([severity, process]);
  });

  it('has none for very long words', () => {
    expect(kindOf('A'.repeat(160)).isCapitals).toBe(true);
    expect(kindOf('A'.repeat(161)).isCapitals).toBe(false);
  });

  it('tells levels in capitals, and their letters', () => {
    expect(['ERROR', 'error', 'E', 'SHOP'].map(isLevelName)).toEqual([true, false, false, false]);
    expect(['ERROR', 'error', 'E', 'X'].map(isLevelWord)).toEqual([true, false, true, false]);
  });
});

describe('topicsAt', () => {
  it.each<[text: string, at: number, length: number, severity: number]>([
    ['system,error,critical login failure', 0, 21, 2],
    ['x dhcp,info assigned', 2, 9, 6],
    ['firewall,!info,debug x', 0, 20, 7],
    ['dhcp,lease assigned', 0, 0, -1],
    ['error failed', 0, 0, -1],
    ['system,error', 0, 0, -1],
  ])('%j at %i', (text, at, length, severity) => expect(topicsAt(text, at)).toEqual({ length, severity }));
});
