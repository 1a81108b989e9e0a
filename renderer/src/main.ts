import './styles/base.css';
import './styles/dialogs.css';
import { mount } from 'svelte';
import Root from './App.svelte';
import { createClient } from './lib/api.ts';
import { App } from './state/app.svelte.ts';

const target = document.getElementById('app');
if (target === null) throw new Error('The page has no place for the window.');
mount(Root, { target, props: { app: new App(createClient(window.sluicebox), localStorage) } });
